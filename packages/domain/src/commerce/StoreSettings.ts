import { Context } from "effect"

/** How stores are set up on this service. */
export class StoreSettings extends Context.Service<
  StoreSettings,
  {
    /** The address under which providers and browsers reach this service, without a slash at its end. */
    readonly publicUrl: string
    /** Where people may be sent back to from a shop, beside this service itself. */
    readonly returnOrigins: ReadonlyArray<string>
  }
>()("@parley/domain/commerce/StoreSettings") {}
