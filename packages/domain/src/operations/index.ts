export * from "./Backlog.ts"
export type * from "./Storage.ts"
export * from "./use-cases/showWorkers.ts"
export * from "./Workforce.ts"
