export * from "./Files.ts"
export * from "./tabular/index.ts"
export { decoded as utf8Text, encoded as utf8Bytes } from "./tabular/utf8.ts"
export * from "./work.ts"
