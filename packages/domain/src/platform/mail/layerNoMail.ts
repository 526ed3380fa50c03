import { Layer } from "effect"
import { MailerUnreachable } from "./Errors.ts"
import { Mailer, MailSettings } from "./Mailer.ts"

/** For a service without a mail server: links begin with this address, and are handed over by hand. */
export const layerNoMail = (publicUrl: string): Layer.Layer<Mailer | MailSettings> =>
  Layer.mergeAll(
    Layer.succeed(Mailer, { send: () => new MailerUnreachable({ code: null }) }),
    Layer.succeed(MailSettings, { publicUrl, sendsMail: false })
  )
