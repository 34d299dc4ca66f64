// With exr_write.cc the only C++ of the program without CUDA: OpenEXR's own library reads every compression.
#include "core/image/exr_pixels.h"

#include <ImfArray.h>
#include <ImfFrameBuffer.h>
#include <ImfHeader.h>
#include <ImfIO.h>
#include <ImfInputPart.h>
#include <ImfMultiPartInputFile.h>
#include <ImfRgbaFile.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <exception>
#include <new>
#include <stdexcept>

namespace
{

class Memory : public Imf::IStream
{
  public:
    explicit Memory(const lb_exr_wanted &file) : IStream("the file"), file_(file)
    {
    }

    // False at the file's end; who reads beyond it is told by an exception.
    bool read(char to[], int count) override
    {
        if (count < 0 || at_ > file_.size || static_cast<size_t>(count) > file_.size - at_)
            throw std::runtime_error("the EXR is cut short");
        std::memcpy(to, file_.data + at_, static_cast<size_t>(count));
        at_ += static_cast<size_t>(count);
        return at_ < file_.size;
    }

    uint64_t tellg() override
    {
        return at_;
    }

    void seekg(uint64_t at) override
    {
        at_ = at;
    }

  private:
    const lb_exr_wanted &file_;
    uint64_t at_ = 0;
};

void read_channels(const lb_exr_wanted &wanted, uint32_t channels, float *pixels)
{
    Memory memory(wanted);
    // One thread, as scenes read several pictures at once; a damaged table of chunks is not to be guessed.
    Imf::MultiPartInputFile file(memory, 0, false);
    Imf::InputPart part(file, wanted.part);
    const Imath::Box2i window = part.header().dataWindow();
    const size_t width = static_cast<size_t>(window.max.x - window.min.x) + 1,
                 pixel = channels * sizeof(float);
    Imf::FrameBuffer frame;
    for (uint32_t c = 0; c < channels; c++)
        frame.insert(wanted.names[c], Imf::Slice::Make(Imf::FLOAT, pixels + c, window, pixel, width * pixel));
    part.setFrameBuffer(frame);
    part.readPixels(window.min.y, window.max.y);
}

// The library makes RGB of luminance and chroma at half resolution, in halves.
void read_chroma(const lb_exr_wanted &wanted, uint32_t channels, float *pixels)
{
    Memory memory(wanted);
    Imf::RgbaInputFile file(memory, 0);
    const Imath::Box2i window = file.dataWindow();
    const int width = window.max.x - window.min.x + 1;
    Imf::Array<Imf::Rgba> line(width);
    for (int y = window.min.y; y <= window.max.y; y++) {
        // The first pixel of the frame buffer lies at column and row 0.
        file.setFrameBuffer(&line[0] - window.min.x, 1, 0);
        file.readPixels(y);
        for (int x = 0; x < width; x++, pixels += channels) {
            const float values[4] = {line[x].r, line[x].g, line[x].b, line[x].a};
            std::copy(values, values + channels, pixels);
        }
    }
}

} // namespace

lb_exr_result lb_exr_read_pixels(const lb_exr_wanted *wanted, uint32_t channels, float *pixels, char *reason,
                                 size_t room)
try {
    if (wanted->chroma)
        read_chroma(*wanted, channels, pixels);
    else
        read_channels(*wanted, channels, pixels);
    return LB_EXR_OK;
} catch (const std::bad_alloc &) {
    return LB_EXR_MEMORY;
} catch (const std::exception &error) {
    std::snprintf(reason, room, "%s", error.what());
    std::replace(reason, reason + std::strlen(reason), '\n', ' ');
    return LB_EXR_DAMAGED;
} catch (...) {
    std::snprintf(reason, room, "%s", "for a reason that the library does not tell");
    return LB_EXR_DAMAGED;
}
