export * from "./automations/index.ts"
export * from "./schedules/index.ts"
export * from "./workflows/index.ts"
