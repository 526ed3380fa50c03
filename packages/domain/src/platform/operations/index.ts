export * from "./Backlog.ts"
export * from "./use-cases/showWorkers.ts"
export * from "./Workforce.ts"
