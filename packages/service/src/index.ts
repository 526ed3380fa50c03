export * from "./configuration.ts"
export { type MailLayer, sendingMail } from "./mail.ts"
export { layerPorts } from "./ports.ts"
export { docsUrlOf, runService, type ServiceSteps } from "./service.ts"
