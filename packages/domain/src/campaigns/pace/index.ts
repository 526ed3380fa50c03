export * from "./Outcomes.ts"
export * from "./Throttle.ts"
