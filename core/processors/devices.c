#include "core/processors/devices.h"

#include "core/base/option_number.h"

#include <stdlib.h>
#include <string.h>

/* Appends `device`; its index counts on within its kind unless it is a GPU's own number. */
static enum lb_status append(struct lb_device_list *list, struct lb_device device, struct lb_error *error)
{
    if (list->count >= LB_MAX_PROCESSORS)
        return lb_error_set(error, LB_ERROR_USAGE, "more than %d processors", LB_MAX_PROCESSORS);
    for (uint32_t i = 0; i < list->count; i++) {
        if (list->items[i].kind != device.kind)
            continue;
        if (device.kind != LB_PROCESSOR_CUDA)
            device.index = list->items[i].index + 1;
        else if (list->items[i].index == device.index)
            return lb_error_set(error, LB_ERROR_USAGE, "--devices: cuda:%u is named twice", device.index);
    }
    list->items[list->count++] = device;
    return LB_OK;
}

static enum lb_status append_cpus(struct lb_device_list *list, uint32_t count, struct lb_error *error)
{
    struct lb_device cpu = {.kind = LB_PROCESSOR_CPU, .slow = 1};
    enum lb_status status = LB_OK;
    for (uint32_t i = 0; i < count && status == LB_OK; i++)
        status = append(list, cpu, error);
    return status;
}

/* Far longer than any launch of an ordinary scene takes, far shorter than anybody waits for a GPU that hangs. */
static const double PATIENCE = 120;

static const struct lb_device a_gpu = {.kind = LB_PROCESSOR_CUDA, .slow = 1, .patience = PATIENCE};

/* `count` GPUs from number `gpu.index` on. */
static enum lb_status append_cuda(struct lb_device_list *list, struct lb_device gpu, uint32_t count,
                                  struct lb_error *error)
{
    enum lb_status status = LB_OK;
    for (uint32_t i = 0; i < count && status == LB_OK; i++, gpu.index++)
        status = append(list, gpu, error);
    return status;
}

/* CPU threads that are left when each of `gpus` has one that feeds it. */
static uint32_t free_cpus(const struct lb_device_request *request, uint32_t gpus)
{
    if (request->threads)
        return request->threads;
    return request->cpus > gpus ? request->cpus - gpus : 1;
}

/* ---- one word of --devices ---- */

struct text {
    const char *at;
    size_t length;
};

static bool text_is(struct text text, const char *word)
{
    return text.length == strlen(word) && !memcmp(text.at, word, text.length);
}

/* Cuts `text` at its first `separator`; the part before it is returned, the part behind it stays. */
static struct text cut(struct text *text, char separator)
{
    const char *end = memchr(text->at, separator, text->length);
    struct text head = {text->at, end ? (size_t)(end - text->at) : text->length};
    size_t used = end ? head.length + 1 : head.length;
    text->at += used;
    text->length -= used;
    return head;
}

static enum lb_status bad_word(struct text word, const char *why, struct lb_error *error)
{
    return lb_error_set(error, LB_ERROR_USAGE, "--devices: \"%.*s\": %s", (int)word.length, word.at, why);
}

static enum lb_status parse_cpu(struct text word, struct text rest, const struct lb_device_request *request,
                                uint32_t gpus, struct lb_device_list *list, struct lb_error *error)
{
    int64_t count = free_cpus(request, gpus);
    if (rest.length && !lb_number_whole(rest.at, rest.length, 1, LB_MAX_PROCESSORS, &count))
        return bad_word(word, "cpu:N needs a number of threads from 1 to 4096", error);
    return append_cpus(list, (uint32_t)count, error);
}

static enum lb_status parse_cuda(struct text word, struct text rest, const struct lb_device_request *request,
                                 struct lb_device_list *list, struct lb_error *error)
{
    int64_t index = -1;
    struct lb_device gpu = a_gpu;
    while (rest.length) {
        struct text value = cut(&rest, ':'), part = value, name = cut(&value, '=');
        if (text_is(name, "slow")) {
            if (!lb_number_real(value.at, value.length, &gpu.slow) || gpu.slow < 1 || gpu.slow > 1e6)
                return bad_word(word, "slow= needs a factor from 1 to 1000000", error);
        } else if (text_is(name, "limit")) {
            if (!lb_number_real(value.at, value.length, &gpu.patience) || gpu.patience <= 0 ||
                gpu.patience > 1e9)
                return bad_word(word, "limit= needs a positive number of seconds, at most 1e9", error);
        } else if (!lb_number_whole(part.at, part.length, 0, 65535, &index)) {
            return bad_word(word, "expected cuda, cuda:I, cuda:I:slow=F or cuda:I:limit=S", error);
        }
    }
    if (request->counted)
        return bad_word(word, "a GPU measures no costs: a cost map needs CPU threads alone", error);
    if (request->cuda_count == 0)
        return lb_error_set(error, LB_ERROR, "no CUDA device: %s", request->cuda_reason);
    if (index >= (int64_t)request->cuda_count)
        return lb_error_set(error, LB_ERROR, "no CUDA device %d: %u visible, counted from 0", (int)index,
                            request->cuda_count);
    gpu.index = index < 0 ? 0 : (uint32_t)index;
    return append_cuda(list, gpu, index < 0 ? request->cuda_count : 1, error);
}

/* One of null's parameters. */
static enum lb_status parse_null_parameter(struct text parameter, struct lb_device *device,
                                           struct lb_error *error)
{
    struct text value = parameter;
    struct text name = cut(&value, '=');
    if (text_is(name, "speed")) {
        if (!lb_number_real(value.at, value.length, &device->null_speed) || !(device->null_speed >= 1e-3) ||
            device->null_speed > 1e15)
            return bad_word(parameter, "speed needs a number of samples a second from 0.001 to 1e15", error);
    } else if (text_is(name, "fail")) {
        if (!lb_number_real(value.at, value.length, &device->null_fail) || device->null_fail < 0 ||
            device->null_fail > 1)
            return bad_word(parameter, "fail needs a probability from 0 to 1", error);
    } else if (text_is(name, "code")) {
        device->null_wave = text_is(value, "wave");
        if (!device->null_wave && !text_is(value, "cpu"))
            return bad_word(parameter, "code is cpu or wave", error);
    } else {
        return bad_word(parameter, "null has the parameters speed=X, fail=P and code=cpu|wave", error);
    }
    return LB_OK;
}

/* Is the next word of the list a parameter that belongs to the null before it? */
static bool goes_on(struct text left)
{
    struct text word = cut(&left, ',');
    return memchr(word.at, '=', word.length) && !memchr(word.at, ':', word.length);
}

/* "null", "null:speed=X,fail=P"; its later parameters are words of their own in `left`. */
static enum lb_status parse_null(struct text rest, int64_t count, bool counted, struct text *left,
                                 struct lb_device_list *list, struct lb_error *error)
{
    struct lb_device device = {.kind = LB_PROCESSOR_NULL, .slow = 1};
    enum lb_status status = rest.length ? parse_null_parameter(rest, &device, error) : LB_OK;
    while (status == LB_OK && rest.length && goes_on(*left))
        status = parse_null_parameter(cut(left, ','), &device, error);
    if (status == LB_OK && device.null_wave && counted)
        return lb_error_set(error, LB_ERROR_USAGE,
                            "--devices: code=wave measures no costs: a cost map needs CPU code");
    for (int64_t i = 0; i < count && status == LB_OK; i++)
        status = append(list, device, error);
    return status;
}

/* How many GPUs the whole text asks for: their feeding threads are not free for "cpu". */
static uint32_t count_cuda(struct text left, uint32_t visible)
{
    uint32_t count = 0;
    while (left.length) {
        struct text word = cut(&left, ',');
        if (word.length >= 4 && !memcmp(word.at, "cuda", 4))
            count += word.length == 4 || word.at[5] < '0' || word.at[5] > '9' ? visible : 1;
    }
    return count < visible ? count : visible;
}

static enum lb_status parse_devices(const struct lb_device_request *request, struct lb_device_list *list,
                                    struct lb_error *error)
{
    struct text left = {request->devices, strlen(request->devices)};
    uint32_t gpus = count_cuda(left, request->cuda_count);
    enum lb_status status = LB_OK;
    if (left.length && left.at[left.length - 1] == ',')
        return lb_error_set(error, LB_ERROR_USAGE, "--devices: nothing behind the last comma");
    do {
        struct text word = cut(&left, ','), rest = word, number;
        int64_t count = 1;
        if (memchr(word.at, '*', word.length)) {
            number = cut(&rest, '*');
            if (!lb_number_whole(number.at, number.length, 1, LB_MAX_PROCESSORS, &count))
                return bad_word(word, "N* needs a number from 1 to 4096", error);
        }
        struct text kind = cut(&rest, ':');
        if (word.length && word.at[word.length - 1] == ':')
            return bad_word(word, "nothing behind the colon", error);
        if (text_is(kind, "null"))
            status = parse_null(rest, count, request->counted, &left, list, error);
        else if (count != 1)
            return bad_word(word, "only null can be multiplied", error);
        else if (text_is(kind, "cpu"))
            status = parse_cpu(word, rest, request, gpus, list, error);
        else if (text_is(kind, "cuda"))
            status = parse_cuda(word, rest, request, list, error);
        else
            return bad_word(word, "expected cpu, cpu:N, cuda, cuda:I or null:speed=X,fail=P", error);
    } while (status == LB_OK && left.length);
    return status;
}

/* ---- weights ---- */

static const double LEAST_WEIGHT = 1e-30;

/* Weights to sum 1; by the largest first, so that no sum overflows, and none so small that it becomes 0. */
static void normalise(double *weights, uint32_t count)
{
    double largest = 0, sum = 0;
    for (uint32_t i = 0; i < count; i++)
        largest = weights[i] > largest ? weights[i] : largest;
    for (uint32_t i = 0; i < count; i++) {
        double weight = weights[i] / largest;
        weights[i] = weight > LEAST_WEIGHT ? weight : LEAST_WEIGHT;
        sum += weights[i];
    }
    for (uint32_t i = 0; i < count; i++)
        weights[i] /= sum;
}

enum lb_status lb_weights_parse(const char *text, double **weights, uint32_t *count, struct lb_error *error)
{
    struct text left = {text, strlen(text)};
    uint32_t number = 1;
    for (const char *at = text; *at; at++)
        number += *at == ',';
    if (number > LB_MAX_PROCESSORS)
        return lb_error_set(error, LB_ERROR_USAGE, "--weights: more than %d", LB_MAX_PROCESSORS);
    *weights = malloc(number * sizeof **weights);
    if (!*weights)
        return lb_error_memory(error, NULL);
    for (uint32_t i = 0; i < number; i++) {
        struct text word = cut(&left, ',');
        if (!lb_number_real(word.at, word.length, &(*weights)[i]) || (*weights)[i] <= 0)
            return lb_error_set(error, LB_ERROR_USAGE, "--weights: \"%.*s\" is not a positive number",
                                (int)word.length, word.at);
    }
    normalise(*weights, number);
    *count = number;
    return LB_OK;
}

static enum lb_status choose(const struct lb_device_request *request, uint32_t weight_count,
                             struct lb_device_list *list, struct lb_error *error)
{
    if (request->devices)
        return parse_devices(request, list, error);
    if (request->threads)
        return append_cpus(list, request->threads, error);
    uint32_t gpus = request->counted ? 0 : request->cuda_count;
    if (weight_count && gpus > weight_count)
        gpus = weight_count;
    enum lb_status status = append_cuda(list, a_gpu, gpus, error);
    if (status != LB_OK)
        return status;
    uint32_t cpus = gpus && gpus >= request->cpus ? 0 : free_cpus(request, gpus); /* none may be left */
    return append_cpus(list, weight_count ? weight_count - gpus : cpus, error);
}

static void note_choice(const struct lb_device_request *request, const struct lb_device_list *list,
                        const struct lb_log *log)
{
    uint32_t threads = 0;
    for (uint32_t i = 0; i < list->count; i++)
        threads += list->items[i].kind == LB_PROCESSOR_CPU;
    if (request->counted && request->cuda_count && !request->devices && !request->threads)
        lb_log_write(log, LB_WARNING, "GPUs are left out: CPU threads alone measure what a pixel costs");
    if (threads > request->cpus)
        lb_log_write(log, LB_WARNING, "%u CPU threads on %u CPUs: they will take turns", threads,
                     request->cpus);
}

enum lb_status lb_devices_parse(const struct lb_device_request *request, const struct lb_log *log,
                                struct lb_device_list *list, struct lb_error *error)
{
    double *weights = NULL;
    uint32_t weight_count = 0;
    list->count = 0;
    list->items = calloc(LB_MAX_PROCESSORS, sizeof *list->items);
    enum lb_status status = list->items ? LB_OK : lb_error_memory(error, NULL);
    if (status == LB_OK && request->weights)
        status = lb_weights_parse(request->weights, &weights, &weight_count, error);
    if (status == LB_OK)
        status = choose(request, weight_count, list, error);
    if (status == LB_OK && weight_count && weight_count != list->count)
        status =
            lb_error_set(error, LB_ERROR_USAGE, "%u weights for %u processors", weight_count, list->count);
    if (status == LB_OK) {
        for (uint32_t i = 0; i < list->count; i++)
            list->items[i].weight = weights ? weights[i] : 1.0 / list->count;
        note_choice(request, list, log);
    } else {
        lb_devices_free(list);
    }
    free(weights);
    return status;
}

void lb_devices_free(struct lb_device_list *list)
{
    free(list->items);
    list->items = NULL;
    list->count = 0;
}
