"""What ``provado prove`` shows of a decision about a program."""
