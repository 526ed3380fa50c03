/** The configuration and what follows from it alone: nothing here loads a database or a server. */
export { addressOf, docsUrlOf } from "./addresses.ts"
export { DatabaseUnusable, ProcessFailed, WrongConfiguration, WrongUsage } from "./Failure.ts"
export { operatorName } from "./operatorName.ts"
export { HttpUrl, type Setting, wholeNumber } from "./Setting.ts"
export { catalogue, type GivenFlags, type Reading, readSettings, type SettingName, type Settings } from "./settings.ts"
export { strayVariables } from "./strayVariables.ts"
export { isExposed } from "./isExposed.ts"
