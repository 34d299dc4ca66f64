// NanoVDB's headers say how its files and trees are laid out. Its readers trust what files say of sizes and places;
// here all of these are checked, and nodes are taken from the arrays that they lie in, never by their parents' offsets.
#include "core/image/vdb_grid.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

#ifdef LB_NANOVDB

#include <nanovdb/NanoVDB.h>
#include <nanovdb/util/IO.h>

#include <zlib.h>

#include <algorithm>
#include <exception>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>

namespace
{

using Grid = nanovdb::NanoGrid<float>;
using Tree = nanovdb::TreeData<3>;
using Leaf = nanovdb::NanoLeaf<float>;
using Lower = nanovdb::NanoLower<float>;
using Upper = nanovdb::NanoUpper<float>;
using Root = nanovdb::NanoRoot<float>;

enum { ALIGNMENT = 32, NAME_MOST = 4096, ZIP_RATIO = 1100 };

[[noreturn]] void damaged(const char *why)
{
    throw std::runtime_error(why);
}

// The file's bytes, front to back.
class Reader
{
  public:
    Reader(const uint8_t *data, size_t size) : data_(data), size_(size)
    {
    }

    bool at_end() const
    {
        return at_ == size_;
    }

    const uint8_t *take(uint64_t count)
    {
        if (count > size_ - at_)
            damaged("the file is cut short");
        const uint8_t *bytes = data_ + at_;
        at_ += static_cast<size_t>(count);
        return bytes;
    }

    template <typename Value> Value value()
    {
        Value read;
        std::memcpy(static_cast<void *>(&read), take(sizeof read), sizeof read);
        return read;
    }

  private:
    const uint8_t *data_;
    size_t size_, at_ = 0;
};

struct Free {
    void operator()(uint8_t *memory) const
    {
        std::free(memory);
    }
};
using Buffer = std::unique_ptr<uint8_t, Free>;

Buffer make_buffer(uint64_t size)
{
    uint64_t bytes = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    Buffer buffer(static_cast<uint8_t *>(std::aligned_alloc(ALIGNMENT, bytes)));
    if (!buffer)
        throw std::bad_alloc();
    return buffer;
}

// The `size` bytes of a grid that `stored` bytes of the file hold.
Buffer unpack(Reader &reader, nanovdb::io::Codec codec, uint64_t stored, uint64_t size)
{
    const uint8_t *bytes = reader.take(stored);
    if (codec == nanovdb::io::Codec::NONE) {
        if (stored < size)
            damaged("a grid is larger than its part of the file");
        Buffer buffer = make_buffer(size);
        std::memcpy(buffer.get(), bytes, size);
        return buffer;
    }
    if (codec != nanovdb::io::Codec::ZIP)
        damaged("its compression (blosc) is not read, only zip and none");
    uint64_t packed;
    if (stored < sizeof packed)
        damaged("a grid is cut short");
    std::memcpy(&packed, bytes, sizeof packed);
    if (packed > stored - sizeof packed || size / ZIP_RATIO > packed)
        damaged("a grid's sizes contradict each other");
    Buffer buffer = make_buffer(size);
    uLongf got = static_cast<uLongf>(size);
    if (uncompress(buffer.get(), &got, bytes + sizeof packed, static_cast<uLong>(packed)) != Z_OK ||
        got != size)
        damaged("a grid cannot be decompressed");
    return buffer;
}

// The bytes of the grid of that name, and how many; empty where there is none.
Buffer find(Reader &reader, const std::string &name, uint64_t *size)
{
    while (!reader.at_end()) {
        auto header = reader.value<nanovdb::io::Header>();
        if (header.magic != NANOVDB_MAGIC_NUMBER)
            damaged("it is no NanoVDB file of this byte order");
        if (header.version.getMajor() != NANOVDB_MAJOR_VERSION_NUMBER)
            damaged("its version is not the library's");
        std::unique_ptr<nanovdb::io::MetaData[]> metas(new nanovdb::io::MetaData[header.gridCount]);
        uint32_t found = header.gridCount;
        for (uint32_t i = 0; i < header.gridCount; i++) {
            metas[i] = reader.value<nanovdb::io::MetaData>();
            if (metas[i].nameSize == 0 || metas[i].nameSize > NAME_MOST)
                damaged("a grid's name has no sensible length");
            const char *text = reinterpret_cast<const char *>(reader.take(metas[i].nameSize));
            if (found == header.gridCount && name == std::string(text, strnlen(text, metas[i].nameSize)))
                found = i;
        }
        for (uint32_t i = 0; i < header.gridCount; i++) {
            if (i == found) {
                *size = metas[i].gridSize;
                return unpack(reader, header.codec, metas[i].fileSize, *size);
            }
            reader.take(metas[i].fileSize);
        }
    }
    return Buffer();
}

// `count` nodes at an offset from the tree, all within the grid's bytes.
template <typename Node>
const Node *nodes(const uint8_t *grid, uint64_t size, uint64_t offset, uint64_t count)
{
    uint64_t tree = sizeof(nanovdb::GridData);
    if (offset % ALIGNMENT != 0 || offset > size - tree || count > (size - tree - offset) / sizeof(Node))
        damaged("its tree reaches beyond the grid");
    return reinterpret_cast<const Node *>(grid + tree + offset);
}

// Where samples go.
struct Target {
    int32_t lower[3];
    uint32_t size[3];
    float *values;

    // A cube of one value, as far as it lies within.
    void fill(const nanovdb::Coord &at, int32_t side, float value)
    {
        int64_t first[3], last[3];
        for (unsigned i = 0; i < 3; i++) {
            first[i] = std::max<int64_t>(0, static_cast<int64_t>(at[i]) - lower[i]);
            last[i] = std::min<int64_t>(size[i], static_cast<int64_t>(at[i]) + side - lower[i]);
        }
        for (int64_t z = first[2]; z < last[2]; z++)
            for (int64_t y = first[1]; y < last[1]; y++)
                for (int64_t x = first[0]; x < last[0]; x++)
                    values[(z * size[1] + y) * size[0] + x] = value;
    }
};

// Values of an internal node that stand for whole cubes.
template <typename Node> void fill_tiles(const Node &node, int32_t side, Target &target)
{
    for (uint32_t n = 0; n < Node::SIZE; n++)
        if (!node.data()->mChildMask.isOn(n)) {
            float value = node.data()->mTable[n].value;
            if (value != 0.0f)
                target.fill(node.offsetToGlobalCoord(n), side, value);
        }
}

void copy_tree(const uint8_t *bytes, uint64_t size, const Tree &tree, Target &target)
{
    const Upper *upper = nodes<Upper>(bytes, size, tree.mNodeOffset[2], tree.mNodeCount[2]);
    const Lower *lower = nodes<Lower>(bytes, size, tree.mNodeOffset[1], tree.mNodeCount[1]);
    const Leaf *leaf = nodes<Leaf>(bytes, size, tree.mNodeOffset[0], tree.mNodeCount[0]);
    for (uint32_t i = 0; i < tree.mNodeCount[2]; i++)
        fill_tiles(upper[i], 128, target);
    for (uint32_t i = 0; i < tree.mNodeCount[1]; i++)
        fill_tiles(lower[i], 8, target);
    for (uint32_t i = 0; i < tree.mNodeCount[0]; i++)
        for (uint32_t n = 0; n < Leaf::SIZE; n++)
            target.fill(leaf[i].origin() + Leaf::OffsetToLocalCoord(n), 1, leaf[i].data()->mValues[n]);
}

// The box in the world of what lies in the samples' box, whose upper end is one beyond the last.
void put_box(const nanovdb::Map &map, lb_vdb_grid *grid)
{
    for (int i = 0; i < 3; i++)
        for (int corner = 0; corner < 8; corner++) {
            double at = map.mVecD[i];
            for (int j = 0; j < 3; j++)
                at += map.mMatD[3 * i + j] *
                      (grid->lower[j] + ((corner >> j & 1) ? static_cast<double>(grid->size[j]) : 0.0));
            grid->world_box[0][i] = corner == 0 ? at : std::min(grid->world_box[0][i], at);
            grid->world_box[1][i] = corner == 0 ? at : std::max(grid->world_box[1][i], at);
        }
    for (int i = 0; i < 3; i++)
        if (!(grid->world_box[0][i] < grid->world_box[1][i] && grid->world_box[0][i] > -1e30 &&
              grid->world_box[1][i] < 1e30))
            damaged("its box in the world is damaged");
}

void read(const uint8_t *bytes, uint64_t size, uint64_t most, lb_vdb_grid *grid)
{
    if (size < sizeof(Grid))
        damaged("a grid is cut short");
    const auto &head = *reinterpret_cast<const nanovdb::GridData *>(bytes);
    if (head.mMagic != NANOVDB_MAGIC_NUMBER || head.mGridSize > size)
        damaged("a grid's head is damaged");
    if (head.mGridType != nanovdb::GridType::Float)
        damaged("its samples are no floats");
    if (head.mGridClass != nanovdb::GridClass::FogVolume && head.mGridClass != nanovdb::GridClass::Unknown)
        damaged("it is no fog volume");
    const auto &tree = *reinterpret_cast<const Tree *>(bytes + sizeof(nanovdb::GridData));
    const Root *root = nodes<Root>(bytes, size, tree.mNodeOffset[3], 1);
    const nanovdb::CoordBBox box = root->bbox();
    uint64_t count = 1;
    for (unsigned i = 0; i < 3; i++) {
        int64_t samples = static_cast<int64_t>(box.max()[i]) - box.min()[i] + 1;
        if (samples < 1 || samples > (1 << 20) || box.min()[i] < -(1 << 30) || box.max()[i] > (1 << 30))
            damaged("it has no active samples, or its box is damaged");
        grid->lower[i] = box.min()[i];
        grid->size[i] = static_cast<uint32_t>(samples);
        count *= static_cast<uint64_t>(samples);
        if (count > most)
            damaged("its box is too large");
        for (unsigned j = 0; j < 3; j++)
            grid->index_from_world[i][j] = head.mMap.mInvMatD[3 * i + j];
        grid->index_from_world[i][3] = 0.0;
        for (unsigned j = 0; j < 3; j++)
            grid->index_from_world[i][3] -= head.mMap.mInvMatD[3 * i + j] * head.mMap.mVecD[j];
    }
    put_box(head.mMap, grid);
    std::unique_ptr<float, decltype(&std::free)> values(
        static_cast<float *>(std::calloc(count, sizeof(float))), std::free);
    if (!values)
        throw std::bad_alloc();
    Target target{{grid->lower[0], grid->lower[1], grid->lower[2]},
                  {grid->size[0], grid->size[1], grid->size[2]},
                  values.get()};
    copy_tree(bytes, size, tree, target);
    grid->values = values.release();
}

} // namespace

enum lb_vdb_result lb_vdb_read(const uint8_t *data, size_t size, const char *name, uint64_t most,
                               struct lb_vdb_grid *grid, char *reason, size_t room)
{
    grid->values = nullptr;
    try {
        Reader reader(data, size);
        uint64_t bytes = 0;
        Buffer buffer = find(reader, name, &bytes);
        if (!buffer)
            return LB_VDB_NO_GRID;
        read(buffer.get(), bytes, most, grid);
        return LB_VDB_OK;
    } catch (const std::bad_alloc &) {
        return LB_VDB_MEMORY;
    } catch (const std::exception &error) {
        std::snprintf(reason, room, "%s", error.what());
        return LB_VDB_DAMAGED;
    }
}

#else

enum lb_vdb_result lb_vdb_read(const uint8_t *, size_t, const char *, uint64_t, struct lb_vdb_grid *grid,
                               char *, size_t)
{
    grid->values = nullptr;
    return LB_VDB_ABSENT;
}

#endif
