export * from "./DocsCodes.ts"
export { docsHandoffWorks } from "./module.ts"
export * from "./use-cases/docsSessions.ts"
