export * from "./errors.ts"
export * from "./EmailMessage.ts"
export * from "./EmailQueue.ts"
export { mailTasks } from "./module.ts"
