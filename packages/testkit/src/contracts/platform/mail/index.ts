import { emailQueue } from "./emailQueue.ts"

export { emailQueueContract } from "./emailQueue.ts"
export { MailServerSide, mailerContract } from "./mailer.ts"

export const mailContracts = [emailQueue]
