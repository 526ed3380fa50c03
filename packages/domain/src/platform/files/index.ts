export * from "./Files.ts"
export { filesWorks } from "./module.ts"
export * from "./tabular/csvFiles.ts"
export { type NdjsonRow, readNdjson } from "./tabular/RecordReader.ts"
export {
  type FaultyRecord,
  isFaulty,
  type Position,
  type Reading,
  type ReadRecord,
  startOfFile,
  encoded as utf8Bytes,
  decoded as utf8Text
} from "./tabular/recordScan.ts"
