export * from "./DocsCodes.ts"
export { docsHandoffTasks } from "./module.ts"
export * from "./use-cases/docsSessions.ts"
