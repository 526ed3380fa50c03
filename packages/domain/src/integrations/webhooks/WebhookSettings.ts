import { Context } from "effect"

/** How webhooks are set up on this service. */
export class WebhookSettings extends Context.Service<
  WebhookSettings,
  {
    /** The address of this service, without a slash at its end: nobody has events posted to it. */
    readonly publicUrl: string
    /** Whether receivers may be on this machine, also in plain HTTP: for those who develop one. */
    readonly loopback: boolean
  }
>()("@parley/domain/integrations/webhooks/WebhookSettings") {}
