// Asks epoll as often as told whether something came, where nothing or, with the word "ready",
// something always is there; prints how often it gave way meanwhile.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

static int yields;

int sched_yield(void) {  // in place of the system's
  ++yields;
  return 0;
}

int main(int argc, char** argv) {
  int ends[2];
  int epoll = epoll_create1(0);
  struct epoll_event event = {.events = EPOLLIN};
  if (pipe(ends) != 0 || epoll_ctl(epoll, EPOLL_CTL_ADD, ends[0], &event) != 0) return 1;
  if (argc > 2 && strcmp(argv[2], "ready") == 0 && write(ends[1], "x", 1) != 1) return 1;
  int found = 0;
  for (int n = atoi(argv[1]); n > 0; --n) found += epoll_wait(epoll, &event, 1, 0);
  printf("%d found, gave way %d times\n", found, yields);
  return 0;
}
