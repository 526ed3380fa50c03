export * from "./signatures.ts"
