export { completePassword, readHosts } from "@parley/pg-pipeline/hosts"
