// T1b: a field for each mutation; what is typed in a field warns beside that field.

import { startLines } from "./lines.js";

startLines();
