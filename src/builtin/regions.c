// regions.c - regions of images resampled to one size by bilinear interpolation (ROI align).
//
// The means of a region are taken over a grid of points in each of its cells: as many as asked for, else as many as
// the cell has pixels.
#include "builtin/boxes.h"
#include "builtin/runs.h"
#include <math.h>

typedef struct regions {
    const tensor *x, *rois;
    int64_t batch, channels, height, width;
    int64_t out_height, out_width, samples; // 0 or less: as the region's size says
    double scale;
    bool aligned, channels_last, largest;
} regions;

// One region in the coordinates of the image: where it begins, how large a cell is, how many points it has.
typedef struct region {
    int64_t batch;
    double top, left, cell_height, cell_width;
    int64_t grid_height, grid_width;
} region;

static double pixel(const regions *r, int64_t batch, int64_t channel, int64_t y, int64_t x) {
    int64_t at = r->channels_last ? ((batch * r->height + y) * r->width + x) * r->channels + channel
                                  : ((batch * r->channels + channel) * r->height + y) * r->width + x;
    return tensor_get_float(r->x, (size_t)at);
}

static double clamped(double x, double high) { return x < 0 ? 0 : x > high ? high : x; }

// The four pixels around a point, weighted by nearness; 0 more than a pixel outside of the image. A NaN is outside.
static double sample(const regions *r, int64_t batch, int64_t channel, double y, double x) {
    bool inside = y >= -1 && x >= -1 && y <= (double)r->height && x <= (double)r->width;
    if (!inside || !r->height || !r->width) return 0;
    y = clamped(y, (double)(r->height - 1));
    x = clamped(x, (double)(r->width - 1));
    int64_t top = (int64_t)floor(y), left = (int64_t)floor(x);
    int64_t bottom = top + 1 < r->height ? top + 1 : top, right = left + 1 < r->width ? left + 1 : left;
    double down = box_rounded(r->rois, y - (double)top), across = box_rounded(r->rois, x - (double)left);
    double high = pixel(r, batch, channel, top, left) * (1 - across) + pixel(r, batch, channel, top, right) * across;
    double low =
        pixel(r, batch, channel, bottom, left) * (1 - across) + pixel(r, batch, channel, bottom, right) * across;
    return high * (1 - down) + low * down;
}

// A grid that no image needs: a region that is that large is refused rather than sampled for hours.
enum { MAX_GRID = 1 << 15 };

static bool grid_of(const regions *r, double cell, int64_t *out) {
    double points = ceil(cell);
    *out = r->samples > 0 ? r->samples : points > 0 ? (int64_t)(points < MAX_GRID + 1 ? points : MAX_GRID + 1) : 0;
    return *out <= MAX_GRID;
}

static double edge(const regions *r, size_t i) { return box_rounded(r->rois, tensor_get_float(r->rois, i) * r->scale); }

static rx_status read_region(builtin_call *c, const regions *r, size_t i, region *out) {
    double batch = tensor_get_float(r->rois, i * 5);
    double height, width;
    if (!(batch >= 0 && batch < (double)r->batch))
        return builtin_fail(c, RX_INVALID_ARGUMENT, "region %zu is of image %g of %lld", i, batch, (long long)r->batch);
    *out = (region){.batch = (int64_t)batch, .left = edge(r, i * 5 + 1), .top = edge(r, i * 5 + 2)};
    height = box_rounded(r->rois, edge(r, i * 5 + 4) - out->top);
    width = box_rounded(r->rois, edge(r, i * 5 + 3) - out->left);
    if (!r->aligned && !(height > 1)) height = 1;
    if (!r->aligned && !(width > 1)) width = 1;
    out->cell_height = box_rounded(r->rois, height / (double)r->out_height);
    out->cell_width = box_rounded(r->rois, width / (double)r->out_width);
    if (grid_of(r, out->cell_height, &out->grid_height) && grid_of(r, out->cell_width, &out->grid_width)) return RX_OK;
    return builtin_fail(c, RX_INVALID_ARGUMENT, "region %zu is too large to sample: %g by %g", i, height, width);
}

// Of a cell without points the mean is 0 and the maximum the least there is.
static double cell(const regions *r, const region *at, int64_t channel, int64_t row, int64_t column) {
    double sum = 0, most = -(double)INFINITY, count = (double)(at->grid_height * at->grid_width);
    double top = box_rounded(r->rois, at->top + box_rounded(r->rois, (double)row * at->cell_height));
    double left = box_rounded(r->rois, at->left + box_rounded(r->rois, (double)column * at->cell_width));
    for (int64_t i = 0; i < at->grid_height; i++)
        for (int64_t k = 0; k < at->grid_width; k++) {
            double y = box_rounded(r->rois, ((double)i + 0.5) * at->cell_height / (double)at->grid_height);
            double x = box_rounded(r->rois, ((double)k + 0.5) * at->cell_width / (double)at->grid_width);
            double value = sample(r, at->batch, channel, box_rounded(r->rois, top + y), box_rounded(r->rois, left + x));
            sum += value / count;
            if (value > most || value != value) most = value;
        }
    return r->largest ? most : sum;
}

static void resample(builtin_call *c, const regions *r, size_t i, const region *at) {
    size_t out = i * (size_t)(r->channels * r->out_height * r->out_width);
    for (int64_t k = 0; k < r->channels; k++)
        for (int64_t y = 0; y < r->out_height; y++)
            for (int64_t x = 0; x < r->out_width; x++) {
                int64_t place = r->channels_last ? (y * r->out_width + x) * r->channels + k
                                                 : (k * r->out_height + y) * r->out_width + x;
                tensor_set_float(c->out[0], out + (size_t)place, cell(r, at, k, y, x));
            }
}

static rx_status check_regions(builtin_call *c, regions *r) {
    const tensor *x = c->in[0], *rois = c->in[1];
    if (x->rank != 4 || rois->rank != 2 || rois->dim[1] != 5)
        return builtin_fail(c, RX_SHAPE_MISMATCH, "want images of 4 dims and regions of 5 numbers");
    r->batch = x->dim[0];
    r->channels = x->dim[r->channels_last ? 3 : 1];
    r->height = x->dim[r->channels_last ? 1 : 2];
    r->width = x->dim[r->channels_last ? 2 : 3];
    if (r->out_height < 1 || r->out_width < 1)
        return builtin_fail(c, RX_INVALID_ARGUMENT, "pooled_size: want 1 or more");
    const tensor *out = c->out[0];
    const int64_t last[] = {rois->dim[0], r->out_height, r->out_width, r->channels},
                  first[] = {rois->dim[0], r->channels, r->out_height, r->out_width};
    bool fits = out && out->rank == 4;
    for (uint32_t i = 0; fits && i < 4; i++) fits = out->dim[i] == (r->channels_last ? last : first)[i];
    return fits ? RX_OK : builtin_fail(c, RX_SHAPE_MISMATCH, "the result does not have the shape of the regions");
}

rx_status builtin_roi_align(builtin_call *c) {
    regions r = {.x = c->in[0],
                 .rois = c->in[1],
                 .out_height = c->arg[0],
                 .out_width = c->arg[1],
                 .scale = box_from_bits(c->arg[2]),
                 .samples = c->arg[3],
                 .aligned = c->arg[4] != 0,
                 .channels_last = c->arg[5] != 0,
                 .largest = c->arg[6] != 0};
    RX_TRY(check_regions(c, &r));
    for (size_t i = 0; i < (size_t)r.rois->dim[0]; i++) {
        region at = {0};
        RX_TRY(read_region(c, &r, i, &at));
        resample(c, &r, i, &at);
    }
    return RX_OK;
}
