export { type KeptMail, layerMailFolder, mailsIn } from "./mailFolder.ts"
export { type ReceivedMail, type RunningSmtpServer, startSmtpServer } from "./SmtpServer.ts"
