export * from "./Backlog.ts"
