// The page of a published match, which consists of files: watching and replaying.

import { showPages } from './router.js';

showPages();
