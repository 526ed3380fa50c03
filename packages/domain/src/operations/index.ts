export * from "./Backlog.ts"
export type * from "./Storage.ts"
