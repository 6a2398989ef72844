/* Broadcasts of a text, of lines that repeat, of a smooth field and of a wave in a field of zeros,
 * from rank 0 to all, so many times, that check what arrives; the wave within 1e-4. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { size = 1 << 20, values = size / sizeof(double) };

static void write_text(char* text) {
  static const char* words[] = {"compress", "the",   "messages", "of ",  "a ",   "program",
                                "between",  "hosts", "when",     "that", "pays", "off"};
  unsigned state = 1;
  for (int at = 0; at < size;) {
    state = state * 1664525U + 1013904223U;
    const char* word = words[(state >> 16) % 12];
    for (; *word != '\0' && at < size; ++word) text[at++] = *word;
    if (at < size) text[at++] = (char)('!' + (state >> 24) % 64);
  }
}

/* A table whose lines differ in a few characters. */
static void write_lines(char* text) {
  char line[100];
  for (int at = 0, number = 0; at < size; at += 99, ++number) {
    snprintf(line, sizeof line, "%06d %-90s\n", number % 97, "the same words in every line");
    memcpy(text + at, line, at + 99 <= size ? 99 : size - at);
  }
}

static void write_field(double* field) {
  for (int i = 0; i < values; ++i) field[i] = sin(1e-3 * i) + 0.3 * cos(7e-4 * i);
}

static void write_wave(float* field) {
  for (int i = 0; i < size / 4; ++i) field[i] = i < size / 40 ? (float)sin(1e-2 * i) : 0;
}

static int is_off(const float* received, const float* expected) {
  for (int i = 0; i < size / 4; ++i) {
    if (!(fabs((double)received[i] - (double)expected[i]) <= 1e-4)) return 1;
  }
  return 0;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, wrong = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int rounds = argc > 2 ? atoi(argv[2]) : 0;
  const int fields = argc > 1 && strcmp(argv[1], "fields") == 0;
  const int wave = argc > 1 && strcmp(argv[1], "wave") == 0;
  char* expected = malloc(size);
  char* buffer = malloc(size);
  if (fields)
    write_field((double*)expected);
  else if (wave)
    write_wave((float*)expected);
  else if (argc > 1 && strcmp(argv[1], "lines") == 0)
    write_lines(expected);
  else
    write_text(expected);
  for (int round = 0; round < rounds; ++round) {
    memset(buffer, 0, size);
    if (rank == 0) memcpy(buffer, expected, size);
    if (fields) {
      MPI_Bcast(buffer, values, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    } else if (wave) {
      MPI_Bcast(buffer, size / 4, MPI_FLOAT, 0, MPI_COMM_WORLD);
    } else {
      MPI_Bcast(buffer, size, MPI_BYTE, 0, MPI_COMM_WORLD);
    }
    wrong += wave ? is_off((const float*)buffer, (const float*)expected)
                  : memcmp(buffer, expected, size) != 0;
  }
  printf("rounds %d, wrong %d\n", rounds, wrong);
  free(buffer);
  free(expected);
  MPI_Finalize();
  return wrong != 0;
}
