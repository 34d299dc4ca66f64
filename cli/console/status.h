/* Exit statuses: this list, lbrender.1's section EXIT STATUS and a test that compares them. */
#ifndef LB_CLI_CONSOLE_STATUS_H
#define LB_CLI_CONSOLE_STATUS_H

enum cli_status {
    CLI_DONE = 0,       /* the picture is written */
    CLI_FAILED = 1,     /* an error: the message says what was written nevertheless */
    CLI_USAGE = 2,      /* a wrong option or operand */
    CLI_LOST = 3,       /* the picture is written and right, but a processor was lost on the way */
    CLI_SIGNALLED = 128 /* plus n: ended by signal n; what there was is in a .partial.png */
};

#endif
