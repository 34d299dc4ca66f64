#include "test/unit/exr_write.h"

#include <ImfChannelList.h>
#include <ImfFrameBuffer.h>
#include <ImfHeader.h>
#include <ImfIO.h>
#include <ImfMultiPartOutputFile.h>
#include <ImfOutputFile.h>
#include <ImfOutputPart.h>
#include <ImfPartType.h>
#include <ImfRgbaFile.h>
#include <ImfTiledOutputFile.h>

#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace
{

class Bytes : public Imf::OStream
{
  public:
    Bytes() : OStream("made.exr")
    {
    }
    void write(const char from[], int count) override
    {
        if (at_ + static_cast<size_t>(count) > data.size())
            data.resize(at_ + static_cast<size_t>(count));
        data.replace(at_, static_cast<size_t>(count), from, static_cast<size_t>(count));
        at_ += static_cast<size_t>(count);
    }
    uint64_t tellp() override
    {
        return at_;
    }
    void seekp(uint64_t at) override
    {
        at_ = at;
    }
    std::string data;

  private:
    uint64_t at_ = 0;
};

const char *const names[4] = {"R", "G", "B", "A"};

// Values of all channels, interleaved, of every `step`th column and row.
template <class T> std::vector<T> values(const exr_kind &kind, int channels, int step)
{
    std::vector<T> all;
    for (int row = 0; row < kind.height; row += step)
        for (int column = 0; column < kind.width; column += step)
            for (int c = 0; c < channels; c++)
                all.push_back(T(exr_colour(column, row, c)));
    return all;
}

template <class T>
Imf::FrameBuffer frame_of(const exr_kind &kind, Imf::PixelType type, const std::vector<T> &all, int channels,
                          int step)
{
    const Imath::V2i origin(kind.left / step, kind.top / step);
    const int width = kind.width / step, height = kind.height / step;
    const size_t pixel = sizeof(T) * static_cast<size_t>(channels);
    Imf::FrameBuffer frame;
    for (int c = 0; c < channels; c++)
        frame.insert(names[c], Imf::Slice::Make(type, &all[static_cast<size_t>(c)], origin, width, height,
                                                pixel, pixel * static_cast<size_t>(width), step, step));
    return frame;
}

template <class T> void write_form(Bytes &out, const exr_kind &kind, Imf::Header &header, Imf::PixelType type)
{
    const int channels = kind.alpha ? 4 : 3, step = kind.form == EXR_COARSE ? 2 : 1;
    const std::vector<T> all = values<T>(kind, channels, step);
    const Imf::FrameBuffer frame = frame_of(kind, type, all, channels, step);
    for (int c = 0; c < channels; c++)
        header.channels().insert(names[c], Imf::Channel(type, step, step));
    if (kind.form == EXR_TILES || kind.form == EXR_MIPMAP) {
        const bool levels = kind.form == EXR_MIPMAP;
        header.setTileDescription(
            Imf::TileDescription(16, levels ? 16 : 8, levels ? Imf::MIPMAP_LEVELS : Imf::ONE_LEVEL));
        Imf::TiledOutputFile file(out, header, 0);
        for (int level = 0; level < file.numLevels(); level++) {
            file.setFrameBuffer(frame);
            file.writeTiles(0, file.numXTiles(level) - 1, 0, file.numYTiles(level) - 1, level);
        }
    } else if (kind.form == EXR_SECOND_PART) {
        Imf::Header both[2] = {header, header};
        both[0].channels() = Imf::ChannelList();
        both[0].channels().insert("Z", Imf::Channel(Imf::FLOAT));
        both[0].channels().insert("N.X", Imf::Channel(Imf::FLOAT));
        both[0].setName("geometry");
        both[1].setName("colour");
        both[0].setType(Imf::SCANLINEIMAGE);
        both[1].setType(Imf::SCANLINEIMAGE);
        Imf::MultiPartOutputFile file(out, both, 2, false, 0);
        std::vector<float> far(static_cast<size_t>(kind.width * kind.height), 7);
        Imf::FrameBuffer geometry;
        for (const char *name : {"Z", "N.X"})
            geometry.insert(name, Imf::Slice::Make(Imf::FLOAT, &far[0], header.dataWindow()));
        Imf::OutputPart first(file, 0), second(file, 1);
        first.setFrameBuffer(geometry);
        first.writePixels(kind.height);
        second.setFrameBuffer(frame);
        second.writePixels(kind.height);
    } else {
        Imf::OutputFile file(out, header, 0);
        file.setFrameBuffer(frame);
        file.writePixels(kind.height);
    }
}

void write_chroma(Bytes &out, const exr_kind &kind, const Imf::Header &header)
{
    const std::vector<half> all = values<half>(kind, 4, 1);
    Imf::RgbaOutputFile file(out, header, kind.alpha ? Imf::WRITE_YCA : Imf::WRITE_YC, 0);
    const Imf::Rgba *pixels = reinterpret_cast<const Imf::Rgba *>(all.data());
    file.setFrameBuffer(pixels - kind.left - static_cast<ptrdiff_t>(kind.top) * kind.width, 1,
                        static_cast<size_t>(kind.width));
    file.writePixels(kind.height);
}

} // namespace

float exr_colour(int column, int row, int channel)
{
    return 0.25f + 0.01f * static_cast<float>(column) + 0.005f * static_cast<float>(row * (channel + 1));
}

uint8_t *exr_write(const exr_kind *kind, size_t *size)
{
    const Imath::Box2i window(Imath::V2i(kind->left, kind->top),
                              Imath::V2i(kind->left + kind->width - 1, kind->top + kind->height - 1));
    Imf::Header header(window, window);
    header.compression() = static_cast<Imf::Compression>(kind->compression);
    Bytes out;
    if (kind->form == EXR_CHROMA)
        write_chroma(out, *kind, header);
    else if (kind->halves)
        write_form<half>(out, *kind, header, Imf::HALF);
    else
        write_form<float>(out, *kind, header, Imf::FLOAT);
    *size = out.data.size();
    uint8_t *data = static_cast<uint8_t *>(std::malloc(*size));
    if (data)
        std::memcpy(data, out.data.data(), *size);
    return data;
}
