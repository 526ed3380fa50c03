import { layerNoStores } from "@parley/domain"
import { addressOf } from "./addresses.ts"
import type { Settings } from "./settings.ts"

/** The providers of stores, as configured: there is no app at any of them yet. Whose pages may call the service may be gone back to. */
export const layerStores = (settings: Settings) => layerNoStores(addressOf(settings), settings.corsOrigins.value)
