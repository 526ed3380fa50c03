/** Where to read on in a file: a byte offset right after a record, and the number of the line that begins there. */
export interface Position {
  readonly offset: number
  readonly line: number
}

/** The start of a file. */
export const startOfFile: Position = { offset: 0, line: 1 }

/** A record: the line it starts in, and where the one after it starts. */
export interface ReadRecord<Cells> {
  readonly line: number
  readonly next: Position
  readonly cells: Cells
}

/** A record that cannot be read, and why. Reading goes on behind it. */
export interface FaultyRecord {
  readonly line: number
  readonly next: Position
  readonly fault: string
}

/** What reading a file gives, record by record. */
export type Reading<Cells> = ReadRecord<Cells> | FaultyRecord

/** Whether it is a record that cannot be read. */
export const isFaulty = (reading: object): reading is FaultyRecord => "fault" in reading

/** How long one record may be, in bytes. */
export const longestRecord = 1024 * 1024

export const tooLong = "The row is longer than 1 MiB."
export const notUtf8 = "The row is not valid UTF-8. Save the file as UTF-8."
