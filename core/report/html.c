#include "core/report/html.h"

#include "core/base/printable.h"
#include "core/report/color.h"
#include "core/report/figure_text.h"

#include <stdlib.h>
#include <string.h>

/* Colours by name, for a light and a dark screen; nothing is loaded. */
static const char STYLE[] =
    ":root{color-scheme:light "
    "dark;--ground:#fbfaf8;--ink:#1c1b19;--soft:#6b675f;--line:#d8d4cc;--idle:#e6e2da;"
    "--bad:#c0262d;--mark:#1c1b19}"
    "@media(prefers-color-scheme:dark){:root{--ground:#17181a;--ink:#e9e7e2;--soft:#9b978e;--line:#3a3b3e;"
    "--idle:#2c2d30;--bad:#ff6b6b;--mark:#ffffff}}"
    "body{background:var(--ground);color:var(--ink);font:15px/1.5 system-ui,sans-serif;max-width:76rem;"
    "margin:0 auto;padding:1.5rem}@media(max-width:40rem){body{padding:.75rem}}"
    "h1{font-size:1.6rem;margin:0}h2{font-size:1.2rem;margin:2rem 0 .5rem}h3{font-size:1rem;margin:1.5rem 0 "
    ".25rem}"
    ".soft,figcaption{color:var(--soft);font-size:.9rem}code{overflow-wrap:anywhere;font-size:.85rem}"
    ".tiles{display:flex;flex-wrap:wrap;gap:.5rem 2rem;margin:1rem 0}.tiles div span{display:block;"
    "color:var(--soft);font-size:.85rem}.tiles div{font-size:1.3rem;font-variant-numeric:tabular-nums}"
    ".pictures{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,20rem),1fr));gap:1.25rem}"
    "figure{margin:0}img{width:100%;height:auto;display:block;image-rendering:auto;cursor:zoom-in}"
    /* A picture that is clicked fills the window, and needs no script for it. */
    "figure input{position:absolute;opacity:0}input:focus-visible+img{outline:2px solid var(--ink)}"
    "input:checked+img{position:fixed;inset:0;width:100vw;height:100vh;object-fit:contain;z-index:1;"
    "background:var(--ground);cursor:zoom-out}"
    ".map img{image-rendering:pixelated}"
    ".wide{overflow-x:auto}table{border-collapse:collapse;font-variant-numeric:tabular-nums;font-size:.9rem}"
    "th,td{text-align:right;padding:.15rem .7rem;border-bottom:1px solid "
    "var(--line)}td{white-space:nowrap}th{color:var(--soft);"
    "font-weight:500}th:first-child,td:first-child{text-align:left;padding-left:0;white-space:nowrap}"
    ".inner td{color:var(--soft)}.inner td:first-child{padding-left:2em}"
    ".swatch{display:inline-block;width:.85em;height:.85em;border-radius:2px;margin-right:.45em;"
    "vertical-align:-.08em}"
    ".legend{display:flex;flex-wrap:wrap;gap:.1rem 1.1rem;margin:.3rem 0 0;padding:0;list-style:none;"
    "font-size:.85rem;font-variant-numeric:tabular-nums}"
    ".scale{height:.8rem;margin-top:.4rem;border:1px solid var(--line)}"
    ".ends{display:flex;justify-content:space-between;color:var(--soft);font-size:.85rem}"
    "svg{width:100%;min-width:52rem;height:auto;display:block}svg text{fill:var(--ink);font-size:11px}"
    "svg .soft{fill:var(--soft);font-size:11px}svg .line{stroke:var(--line)}svg .idle{fill:var(--idle)}svg "
    ".bad{fill:var(--bad)}"
    "svg .mark{stroke:var(--mark);stroke-dasharray:3 2}svg .moved{fill:var(--ink);fill-opacity:.45}"
    "svg .spread{stroke:var(--mark)}";

void lb_html_add(struct lb_text *out, const char *text)
{
    for (size_t at = 0, length = strlen(text); at < length;) {
        char shown[LB_SHOWN_MOST];
        at += lb_printable_next(text + at, length - at, shown);
        const char *special = strlen(shown) == 1 ? strchr("&<>\"'", *shown) : NULL;
        if (special)
            lb_text_add(out, "&#%d;", *special);
        else
            lb_text_add(out, "%s", shown);
    }
}

void lb_html_owner(struct lb_text *out, uint32_t owner)
{
    uint8_t color[3];
    lb_owner_color(owner, color);
    lb_text_add(out, "rgb(%u,%u,%u)", color[0], color[1], color[2]);
}

/* RFC 4648: three bytes are four letters. */
void lb_html_png(struct lb_text *out, const struct lb_view_png *png)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char line[1025];
    size_t end = 0;
    lb_text_add(out, "data:image/png;base64,");
    for (size_t i = 0; i < png->size; i += 3) {
        size_t left = png->size - i;
        uint32_t bits = (uint32_t)png->data[i] << 16 | (left > 1 ? (uint32_t)png->data[i + 1] << 8 : 0) |
                        (left > 2 ? png->data[i + 2] : 0);
        for (int k = 0; k < 4; k++)
            line[end++] = (size_t)k > left ? '=' : letters[bits >> (18 - 6 * k) & 63];
        if (end == sizeof line - 1 || left <= 3) {
            lb_text_add(out, "%.*s", (int)end, line);
            end = 0;
        }
    }
}

void lb_html_begin(struct lb_text *out, const struct lb_report_run *run, const char *what, bool simulated,
                   double assumed_seconds)
{
    char memory[LB_FIGURE_TEXT_SIZE];
    lb_text_add(
        out, "<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">\n<head>\n"
             "<meta charset=\"utf-8\"/>\n<meta name=\"viewport\" content=\"width=device-width\"/>\n<title>");
    lb_html_add(out, lb_report_scene_name(run));
    lb_text_add(out, " - lbrender</title>\n<style>%s</style>\n</head>\n<body>\n<h1>", STYLE);
    lb_html_add(out, lb_report_scene_name(run));
    lb_text_add(out, "</h1>\n<p class=\"soft\">%s, %llu x %llu pixels", what, (unsigned long long)run->width,
                (unsigned long long)run->height);
    if (run->spp)
        lb_text_add(out, " x %llu samples", (unsigned long long)run->spp);
    lb_figure_memory(run, memory);
    lb_text_add(out, ", %.2f s (%.2f s of loading), %s of memory, on ", run->wall_seconds, run->load_seconds,
                memory);
    lb_html_add(out, run->host ? run->host : "?");
    lb_text_add(out, ", lbrender %s<br/><code>", run->version ? run->version : "?");
    lb_html_add(out, run->command ? run->command : "");
    lb_text_add(out, "</code></p>\n");
    if (simulated)
        lb_text_add(out,
                    "<p>Simulated: times below are a virtual clock's, with %.6g s of work assumed.</p>\n",
                    assumed_seconds);
}

void lb_html_notes(struct lb_text *out, char *notes)
{
    out->failed |= !notes;
    if (notes && *notes)
        lb_text_add(out, "<p style=\"white-space:pre-line\">%s</p>\n", notes);
    free(notes);
}

void lb_html_end(struct lb_text *out)
{
    lb_text_add(out, "</body>\n</html>\n");
}
