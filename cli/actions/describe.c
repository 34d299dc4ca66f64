#include "cli/actions/describe.h"

#include "cli/outputs/outputs.h"
#include "cli/console/status.h"
#include "core/part/part_file.h"

int cli_describe(const struct cli_options *options, struct cli_console *console)
{
    bool json = options->report_format_given && options->report_format == LB_REPORT_JSON;
    enum lb_status status = LB_OK;
    for (uint32_t i = 0; i < options->operand_count && status == LB_OK; i++) {
        const char *name = options->operands[i];
        struct lb_part part;
        struct lb_part_summary summary;
        struct lb_error error;
        status = lb_part_survey(name, &part, &summary, &error);
        if (status == LB_OK)
            status = cli_outputs_write(
                console, "-",
                json ? lb_part_json(name, &part, &summary) : lb_part_text(name, &part, &summary), &error);
        lb_part_summary_free(&summary);
        lb_part_free(&part);
        if (status != LB_OK)
            return cli_console_error(console, &error);
    }
    return CLI_DONE;
}
