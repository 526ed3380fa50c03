export * from "./Plan.ts"
export * from "./Usage.ts"
export * from "./use-cases/entitlements.ts"
