export * from "./use-cases/workers.ts"
export * from "./WorkerDirectory.ts"
