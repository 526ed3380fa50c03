export * from "./EventLog.ts"
export * from "./use-cases/listEvents.ts"
export * from "./Visibility.ts"
