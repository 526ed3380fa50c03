import type { Settings } from "@parley/service/configuration"

/** Where the demo keeps the mails that it does not send. */
export const mailFolderOf = ({ dataDir }: Pick<Settings, "dataDir">) => `${dataDir.value}/mails`
