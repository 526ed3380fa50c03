export * from "./Outcomes.ts"
export * from "./Throttle.ts"
export * from "./Turns.ts"
