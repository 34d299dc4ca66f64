#include "core/report/report_write.h"

#include "core/report/report_forms.h"

char *lb_report_write(const struct lb_report *report, enum lb_report_format format)
{
    switch (format) {
    case LB_REPORT_JSON:
        return lb_report_json(report);
    case LB_REPORT_CSV:
        return lb_report_csv(report);
    case LB_REPORT_HTML:
        return lb_report_html(report);
    case LB_REPORT_TEXT:
        break;
    }
    return lb_report_text(report);
}
