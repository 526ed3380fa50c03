export * from "./newcombe.ts"
export * from "./upliftOf.ts"
