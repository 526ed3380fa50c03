export { isMailbox, type Sender, senderOf } from "./sender.ts"
export { layer, type SmtpOptions } from "./Smtp.ts"
export { type SmtpServerAddress, smtpServerAddress } from "./SmtpServerAddress.ts"
