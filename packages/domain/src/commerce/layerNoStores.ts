import { Layer } from "effect"
import { StorePlatforms } from "./StorePlatform.ts"
import { StoreSettings } from "./StoreSettings.ts"

/** A service that has no app at any provider of stores: none can be connected. */
export const layerNoStores = (publicUrl: string, returnOrigins: ReadonlyArray<string> = []) =>
  Layer.mergeAll(Layer.succeed(StorePlatforms, new Map()), Layer.succeed(StoreSettings, { publicUrl, returnOrigins }))
