// OpenEXR files in memory, by OpenEXR's own library.
#include "core/image/exr_write.h"

#include <ImfChannelList.h>
#include <ImfFrameBuffer.h>
#include <ImfHeader.h>
#include <ImfIO.h>
#include <ImfOutputFile.h>
#include <ImfStandardAttributes.h>
#include <ImfStringAttribute.h>
#include <half.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <vector>

namespace
{

// Grows by halves; the library goes back to fill in where its chunks begin.
class Growing : public Imf::OStream
{
  public:
    Growing() : OStream("the file")
    {
    }

    void write(const char from[], int count) override
    {
        const size_t bytes = static_cast<size_t>(count), end = static_cast<size_t>(at_) + bytes;
        if (end > data.size())
            data.resize(end);
        std::memcpy(data.data() + at_, from, bytes);
        at_ = end;
    }

    uint64_t tellp() override
    {
        return at_;
    }

    void seekp(uint64_t at) override
    {
        at_ = at;
    }

    std::vector<char> data;

  private:
    uint64_t at_ = 0;
};

Imath::Box2i window_of(uint32_t x, uint32_t y, uint32_t width, uint32_t height)
{
    const Imath::V2i first(static_cast<int>(x), static_cast<int>(y));
    return Imath::Box2i(first, first + Imath::V2i(static_cast<int>(width) - 1, static_cast<int>(height) - 1));
}

Imf::Compression compression_of(lb_exr_compression compression)
{
    switch (compression) {
    case LB_EXR_UNCOMPRESSED:
        return Imf::NO_COMPRESSION;
    case LB_EXR_RLE:
        return Imf::RLE_COMPRESSION;
    case LB_EXR_ZIPS:
        return Imf::ZIPS_COMPRESSION;
    case LB_EXR_PIZ:
        return Imf::PIZ_COMPRESSION;
    case LB_EXR_DWAA:
        return Imf::DWAA_COMPRESSION;
    case LB_EXR_DWAB:
        return Imf::DWAB_COMPRESSION;
    default:
        return Imf::ZIP_COMPRESSION;
    }
}

Imf::PixelType type_of(lb_exr_type type)
{
    return type == LB_EXR_HALF ? Imf::HALF : type == LB_EXR_FLOAT ? Imf::FLOAT : Imf::UINT;
}

std::vector<half> halves_of(const lb_exr_channel &channel, size_t pixels)
{
    const float most = static_cast<float>(HALF_MAX);
    std::vector<half> halves(pixels);
    for (size_t i = 0; i < pixels; i++) {
        float value;
        std::memcpy(&value, static_cast<const char *>(channel.values) + i * channel.step, sizeof value);
        halves[i] = std::max(-most, std::min(value, most));
    }
    return halves;
}

Imf::Chromaticities chromaticities_of(const double (*primaries)[2])
{
    Imath::V2f xy[4];
    for (int i = 0; i < 4 && primaries; i++)
        xy[i] = Imath::V2f(static_cast<float>(primaries[i][0]), static_cast<float>(primaries[i][1]));
    return primaries ? Imf::Chromaticities(xy[0], xy[1], xy[2], xy[3]) : Imf::Chromaticities();
}

Imf::Header header_of(const lb_exr_picture &picture, const Imath::Box2i &window)
{
    Imf::Header header(window_of(0, 0, picture.full_width, picture.full_height), window);
    header.compression() = compression_of(picture.compression);
    Imf::addChromaticities(header, chromaticities_of(picture.primaries));
    for (size_t i = 0; i < picture.note_count; i++)
        header.insert(picture.notes[i].name, Imf::StringAttribute(picture.notes[i].text));
    for (size_t i = 0; i < picture.channel_count; i++)
        header.channels().insert(picture.channels[i].name, Imf::Channel(type_of(picture.channels[i].type)));
    return header;
}

void write_picture(const lb_exr_picture &picture, Growing &out)
{
    const Imath::Box2i window = window_of(picture.x0, picture.y0, picture.width, picture.height);
    const size_t width = picture.width, pixels = width * picture.height;
    std::vector<std::vector<half>> halves(picture.channel_count);
    Imf::FrameBuffer frame;
    for (size_t i = 0; i < picture.channel_count; i++) {
        const lb_exr_channel &channel = picture.channels[i];
        size_t step = channel.step;
        const void *values = channel.values;
        if (channel.type == LB_EXR_HALF) {
            halves[i] = halves_of(channel, pixels);
            values = halves[i].data();
            step = sizeof(half);
        }
        frame.insert(channel.name,
                     Imf::Slice::Make(type_of(channel.type), values, window, step, width * step));
    }
    // One thread: the library's pool of them is the whole program's.
    Imf::OutputFile file(out, header_of(picture, window), 0);
    file.setFrameBuffer(frame);
    file.writePixels(static_cast<int>(picture.height));
}

} // namespace

uint8_t *lb_exr_encode(const lb_exr_picture *picture, size_t *size, char *reason, size_t room)
try {
    Growing out;
    *reason = 0;
    write_picture(*picture, out);
    uint8_t *data = static_cast<uint8_t *>(std::malloc(out.data.size()));
    if (data)
        std::memcpy(data, out.data.data(), out.data.size());
    *size = out.data.size();
    return data;
} catch (const std::bad_alloc &) {
    *reason = 0;
    return nullptr;
} catch (const std::exception &error) {
    std::snprintf(reason, room, "%s", error.what());
    std::replace(reason, reason + std::strlen(reason), '\n', ' ');
    return nullptr;
} catch (...) {
    std::snprintf(reason, room, "%s", "for a reason that the library does not tell");
    return nullptr;
}
