import { layerNoMail, type Mailer, MailSettings } from "@parley/domain"
import { isMailbox, layer as layerSmtp, senderOf, smtpServerAddress } from "@parley/provider-adapters/mail"
import { Cause, type FileSystem, Layer, type Path } from "effect"
import { WrongConfiguration } from "./Failure.ts"
import { addressOf } from "./addresses.ts"
import { layerFailure } from "./layerFailure.ts"
import type { Settings } from "./settings.ts"

/** What mails go through. */
export type MailLayer = Layer.Layer<Mailer | MailSettings, WrongConfiguration, FileSystem.FileSystem | Path.Path>

/** Links in mails lead to this service, and mails go out. */
export const sendingMail = (settings: Settings) =>
  Layer.succeed(MailSettings, { publicUrl: addressOf(settings), sendsMail: true })

const wrong = (fault: string): MailLayer =>
  layerFailure<Mailer | MailSettings, WrongConfiguration>(Cause.fail(new WrongConfiguration({ faults: [fault] })))

/** The mail server, as configured: all of it, or none. */
export const layerMail = (settings: Settings): MailLayer => {
  const { mailFrom, smtpUrl } = settings
  if (smtpUrl.value === null && mailFrom.value === null) return layerNoMail(addressOf(settings))
  if (smtpUrl.value === null) return wrong("PARLEY_SMTP_URL: with PARLEY_MAIL_FROM, say which server mails go through.")
  if (mailFrom.value === null) return wrong("PARLEY_MAIL_FROM: with PARLEY_SMTP_URL, say whom mails come from.")
  const server = smtpServerAddress(smtpUrl.value)
  if (server === null) return wrong(`PARLEY_SMTP_URL: expected ${smtpUrl.setting.expected}`)
  const from = senderOf(mailFrom.value)
  if (from === null || !isMailbox(from.address)) return wrong(`PARLEY_MAIL_FROM: expected ${mailFrom.setting.expected}`)
  return Layer.mergeAll(layerSmtp({ server, from }), sendingMail(settings))
}
