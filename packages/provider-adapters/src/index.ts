export * as Security from "./security/index.ts"
