// The pages of the server: the first one, which leads to the others, playing, watching and replaying.

import { doorPage } from './door.js';
import './i18n-play.js';
import { playPage } from './play.js';
import { showPages } from './router.js';

showPages({ door: doorPage, play: playPage });
