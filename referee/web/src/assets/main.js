// The first page of the server: playing, watching and replaying.

import './i18n-play.js';
import { playPage } from './play.js';
import { showPages } from './router.js';

showPages({ play: playPage });
