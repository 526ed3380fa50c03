export * from "./Files.ts"
export { fileTasks } from "./module.ts"
export * from "./tabular/csvFiles.ts"
export { type NdjsonRow, readNdjson } from "./tabular/RecordReader.ts"
export {
  type InvalidRecord,
  isInvalidRecord,
  type FilePosition,
  type RecordResult,
  type ParsedRecord,
  startOfFile,
  encodeUtf8 as utf8Bytes,
  decodeUtf8 as utf8Text
} from "./tabular/recordScan.ts"
