export * from "./errors.ts"
export * from "./Mail.ts"
export * from "./MailQueue.ts"
export { mailWorks } from "./module.ts"
