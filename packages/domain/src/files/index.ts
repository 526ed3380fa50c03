export * from "./Files.ts"
export * from "./tabular/index.ts"
