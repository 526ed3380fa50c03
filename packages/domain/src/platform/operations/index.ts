export * from "./use-cases/workers.ts"
export * from "./Workforce.ts"
