export { type CsvHead, type CsvOptions, type CsvRow, type Delimiter, readCsv, readCsvHead } from "./readCsv.ts"
export { type FaultyRecord, isFaulty, type Position, type Reading, type ReadRecord, startOfFile } from "./Reading.ts"
export { type NdjsonRow, readNdjson } from "./readNdjson.ts"
export { writeCsv, writeNdjson } from "./write.ts"
