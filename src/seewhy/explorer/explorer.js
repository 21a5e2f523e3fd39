// Built from frontend/ by `npm run build`; edit there. Holds preact and htm (MIT and Apache-2.0).
var y,xt,In,L,He,$e,bt,fe,vt,qe,We,On,ae=Symbol.for("pv"),xe={},be=[],Dn=/^m(i|n|o|s|text|space)$/,Xe=Array.isArray,Ke=be.slice,G=Object.assign;function V(t){t&&t.parentNode&&t.remove()}function yt(t,e,n){var o,i,r,a={},s=arguments.length;for(r in e)r=="key"?o=e[r]:r=="ref"&&typeof t!="function"?i=e[r]:a[r]=e[r];return s>2&&(a.children=s>3?Ke.call(arguments,2):n),ie(t,a,o,i,null)}function ie(t,e,n,o,i){var r={type:t,props:e,key:n,ref:o,__k:null,__:null,__b:0,__e:null,__c:null,constructor:ae,__v:i||++xt,__i:-1,__u:0};return!i&&y.vnode&&y.vnode(r),r}function ve(t){return t.children}function ge(t,e){this.props=t,this.context=e,this.__g=0}function B(t,e){if(e==null)return t.__&&B(t.__,t.__i+1);for(var n;e<t.__k.length;e++)if((n=t.__k[e])&&n.__e)return n.__e;return typeof t.type!="function"||t.props.__P?null:B(t)}function Un(t){var e,n=t.__v,o=n.__e,i=[],r=[],a=t.__P;a&&((e=G({constructor:ae},n)).__v=n.__v+1,y.vnode&&y.vnode(e),Ve(a,e,n,t.__n,a.namespaceURI,32&n.__u?[o]:null,i,o||B(n),32&n.__u,r),e.__v=n.__v,e.__.__k[e.__i]=e,At(i,e,r),n.__=n.__e=null,e.__e!=o&&wt(e))}function wt(t){if((t=t.__)&&t.__c&&!t.props.__P)return t.__e=null,t.__k.some(function(e){return e&&(t.__e=e.__e)}),wt(t)}function _t(t){(8&t.__g||(t.__g|=8,L.push(t),$e++))&&He==y.debounceRendering||((He=y.debounceRendering)||queueMicrotask)(kt)}function kt(){try{for(var t,e=1;L.length;)L.length>e&&L.sort(bt),t=L.shift(),e=L.length,8&t.__g&&Un(t)}finally{($e=L.length)&&(He||queueMicrotask)(kt)}}function Mt(t,e,n,o,i,r,a,s,c,d,p){var h,g,l,u,f,_,b=o.__k||be,v=e.length;for(c=Rn(n,e,b,c,v),h=0;h<v;h++)(l=n.__k[h])!=null&&(g=~l.__i&&b[l.__i]||xe,l.__i=h,_=Ve(t,l,g,i,r,a,s,c,d,p),u=l.__e,(g.ref!=l.ref||8&g.__u)&&(g.ref&&Ge(g.ref,null,l,g),l.ref&&p.push(l.ref,l.__c||u,l)),f=f||u,4&l.__u?(c=Ct(l,c,t,!g.__v),g.__e&&(g.__e=null)):typeof l.type=="function"&&_!==void 0?c=_:u&&(c=u.nextSibling),l.__u&=-21);return n.__e=f,c}function Rn(t,e,n,o,i){var r,a,s,c,d,p,h,g,l,u=n.length,f=u,_=0,b=0,v=t.__k=Array(i);for(r=0;r<i;r++)(a=e[r])!=null&&typeof a!="boolean"&&typeof a!="function"?(typeof a!="object"||a.constructor===String?a=v[r]=ie(null,a):Xe(a)?a=v[r]=ie(ve,{children:a}):a.constructor===ae&&a.__b?a=v[r]=ie(a.type,a.props,a.key,a.ref,a.__v):v[r]=a,c=r+_,a.__=t,a.__b=t.__b+1,s=null,~(d=a.__i=jn(a,n,c,f))&&(f--,(s=n[d])&&(s.__u|=2)),s&&s.__v?(a.__u|=16,d==c-1?_--:d==c+1?_++:d!=c&&(d>c?_--:_++,b=1)):(~d||(i>u?_--:i<u&&_++),typeof a.type!="function"&&(a.__u|=4))):v[r]=null;if(b){for(p=[],h=[],r=0;r<i;r++)if((a=v[r])&&16&a.__u){for(_=0,g=p.length;_<g;)p[l=_+g>>1]<a.__i?_=l+1:g=l;p[_]=a.__i,h[r]=_+1}for(_=p.length;r--;)h[r]&&(h[r]==_?_--:v[r].__u|=4)}if(f)for(r=0;r<u;r++)!(s=n[r])||2&s.__u||(s.__e==o&&(o=B(s)),Ye(s,s));return o}function Ct(t,e,n,o){var i,r,a,s;if(typeof t.type=="function"){if(t.props.__P)return e;if(i=t.__k)for(r=0;r<i.length;r++)i[r]&&(i[r].__=t,e=Ct(i[r],e,n,!1));return e}for(e&&!e.parentNode&&(e=B(t))&&!e.parentNode&&(e=null),a=t.__e,s=e;s&&s.nodeType==8;)s=s.nextSibling;for(a!=s&&(!o&&n.moveBefore&&a.parentNode?n.moveBefore(a,e):n.insertBefore(a,e||null)),e=a;(e=e&&e.nextSibling)&&e.nodeType==8&&!e.data.startsWith("$s"););return e}function jn(t,e,n,o){var i,r=t.key,a=t.type,s=e[n],c=s&&!(2&s.__u);if(s===null&&r==null||c&&r==s.key&&a==s.type)return n;if(o>(c?1:0)){for(i=n-1;i>=0;i--)if((s=e[i])&&!(2&s.__u)&&r==s.key&&a==s.type)return i;for(i=n+1;i<e.length;i++)if((s=e[i])&&!(2&s.__u)&&r==s.key&&a==s.type)return i}return-1}function $t(t,e,n){n==null&&(n=""),e[0]=="-"?t.setProperty(e,n):t[e]=n}function he(t,e,n,o,i){var r,a;if(e=="style")if(typeof n=="string")t.style.cssText=n;else{if(typeof o=="string"&&(t.style.cssText=o=""),o)for(e in o)n&&e in n||$t(t.style,e);if(n)for(e in n)o&&n[e]==o[e]||$t(t.style,e,n[e])}else if(e[0]=="o"&&e[1]=="n")typeof n!="function"&&(n=null),typeof o!="function"&&(o=null),(t.__e||(t.__e={}))[e]=n,n&&o||(a=We[e]||(We[e]=Ln(e)),(t.__a||(t.__a={}))[e]=qe,r=e!=(e=e.replace(vt,"$1")),(e=e.slice(2))[0]<"a"&&(e=e.toLowerCase()),n?t.addEventListener(e,a,r):t.removeEventListener(e,a,r));else{if(i=="http://www.w3.org/2000/svg")e=e.replace(/xlink(H|:h)/,"h").replace(/sName$/,"s");else if(e!="width"&&e!="height"&&e!="href"&&e!="list"&&e!="form"&&e!="tabIndex"&&e!="download"&&e!="rowSpan"&&e!="colSpan"&&e!="role"&&e!="popover"&&e in t)try{return void(t[e]=n??"")}catch{}if(typeof n=="function")return;n==null||n===!1&&e[4]!="-"?t.removeAttribute(e):t.setAttribute(e,e=="popover"&&n==1?"":n)}}function Ln(t){return function(e){var n=this.__e;if(n){if(n=n[t],e[fe]==null)e[fe]=qe++;else if(e[fe]<this.__a[t])return;return n(y.event?y.event(e):e)}}}function Ve(t,e,n,o,i,r,a,s,c,d){var p,h,g,l,u,f,_,b,v,$,x,N,Q,ee,D,gt,j,K,U=e.type;if(e.constructor!==ae)return null;128&n.__u&&(c=32&n.__u,p=n.__c.__z)&&(e.__u|=c,h=r=[],p.nodeType==8?s=_e(p,r):r.push(p),s=r[0]||s),(p=y.__b)&&p(e);e:if(typeof U=="function"){g=a.length;try{if(b=e.props,v=(p=U.prototype)&&p.render,$=(p=U.contextType)&&o[p.__c],x=p?$?$.props.value:p.__:o,(l=n.__c)?(e.__c=l,2&l.__g&&(l.__g|=1)):(v?e.__c=l=new U(b,x):(e.__c=l=new ge(b,x),l.constructor=U,l.render=Hn),$&&$.sub(l),l.state||(l.state={}),l.__n=o,l.__g|=8,l.__h=[],l.__k=[]),v&&(l.__s||(l.__s=l.state),U.getDerivedStateFromProps&&(l.__s==l.state&&(l.__s=G({},l.__s)),G(l.__s,U.getDerivedStateFromProps(b,l.__s)))),u=l.props,f=l.state,l.__v=e,n.__c){if(b!==u&&v&&!U.getDerivedStateFromProps&&l.componentWillReceiveProps&&l.componentWillReceiveProps(b,x),e.__v==n.__v&&!(8&l.__g)||!(4&l.__g)&&l.shouldComponentUpdate&&l.shouldComponentUpdate(b,l.__s,x)===!1){e.__v!=n.__v&&(l.props=b,l.state=l.__s,l.__g&=-9),e.__e=n.__e,e.__k=n.__k,e.__k.some(function(P){P&&(P.__=e)}),be.push.apply(l.__h,l.__k),l.__k=[],l.__h.length&&a.push(l),s=B(n);break e}l.componentWillUpdate&&l.componentWillUpdate(b,l.__s,x),v&&l.componentDidUpdate&&l.__h.push(function(){l.componentDidUpdate(u,f,_)})}else v&&!U.getDerivedStateFromProps&&l.componentWillMount&&l.componentWillMount(),v&&l.componentDidMount&&l.__h.push(l.componentDidMount);l.context=x,l.props=b,l.__P=t,l.__g&=-5,N=y.__r,Q=v?25:0;do l.__g&=-9,N&&N(e),p=l.render(l.props,l.state=l.__s,l.context);while(8&l.__g&&++Q<25);v&&(be.push.apply(l.__h,l.__k),l.__k=[]),l.state=l.__s,l.getChildContext&&(o=G({},o,l.getChildContext())),v&&n.__c&&l.getSnapshotBeforeUpdate&&(_=l.getSnapshotBeforeUpdate(u,f)),ee=p&&p.type===ve&&p.key==null?p.props.children:p,b.__P&&(p=s,i=(t=b.__P).namespaceURI,c=r=null,n.props&&n.props.__P!=t&&(n.__k.some(function(P){P&&Ye(P,P)}),n.__k=null),s=n.__k?B(n,0):null),s=Mt(t,Xe(ee)?ee:[ee],e,n,o,i,r,a,s,c,d),b.__P&&(e.__e=null,s=p),e.__u&=-161,h&&h.some(V),l.__h.length&&a.push(l),1&l.__g&&(l.__g&=-4)}catch(P){if(a.length=g,e.__v=null,c||r)if(P&&P.then){if(e.__u|=128|c,r){for(~(j=r.indexOf(s||void 0))||(j=r.length);(K=r[j-1])&&K.nodeType==8;)j--;for(;j<r.length;j++)if(K=r[j])if(r[j]=null,D){if(K==gt)break}else{if(K.nodeType!=8)break;K.data.startsWith("$s")&&(gt=_e(D=K))}}if(!D){for(;s&&s.nodeType==8&&s.nextSibling;)s=s.nextSibling;D=s}(p=_e(D=e.__c.__z||(e.__c.__z=D)))?(e.__e=D,s=p):e.__e=s,s=s&&s.nextSibling}else r&&r.some(V);else e.__e=n.__e;e.__k||(e.__k=n.__k||[]),P&&P.then||St(e),y.__e(P,e,n)}}else s=e.__e=Bn(n.__e,e,n,o,i,r,a,c,d,t);return(p=y.diffed)&&p(e),s}function _e(t,e){if(t&&t.nodeType==8&&t.data.startsWith("$s"))for(var n=1;t=t.nextSibling;){if(t.nodeType==8){if(t.data.startsWith("$s"))n++;else if(t.data.startsWith("/$s")&&!--n)return t}e&&e.push(t)}}function St(t){t&&(t.__c&&(t.__c.__g|=4),t.__k&&t.__k.some(St))}function At(t,e,n){for(var o=0;o<n.length;)Ge(n[o++],n[o++],n[o++]);y.__c&&y.__c(e,t),t.some(function(i){try{t=i.__h,i.__h=[],t.some(function(r){r.call(i)})}catch(r){y.__e(r,i.__v)}})}function Bn(t,e,n,o,i,r,a,s,c,d){var p,h,g,l,u,f,_,b,v=n.props||xe,$=e.props,x=e.type;if(x=="svg"?i="http://www.w3.org/2000/svg":x=="math"?i="http://www.w3.org/1998/Math/MathML":i||(i="http://www.w3.org/1999/xhtml"),r){for(p=0;p<r.length;p++)if((u=r[p])&&(x?u.localName==x:u.nodeType==3)){t=u,r[p]=null;break}}if(!t){if(b=d.ownerDocument||document,!x)return b.createTextNode($);t=b.createElementNS(i,x,$.is?$:d),s&&(y.__m&&y.__m(e,r),s=!1),r=null}if(x){if(d=x=="template"&&t.content||t,r=x=="textarea"&&$.defaultValue!=null?null:r&&Ke.call(d.childNodes),!s&&r)for(v={},p=0;p<t.attributes.length;p++)v[(u=t.attributes[p]).name]=u.value;for(p in v)u=v[p],p=="dangerouslySetInnerHTML"?g=u:p=="children"||p in $||p=="value"&&"defaultValue"in $||p=="checked"&&"defaultChecked"in $||he(t,p,null,u,i);for(p in $)u=$[p],p=="children"?l=u:p=="dangerouslySetInnerHTML"?h=u:p=="value"?f=u:p=="checked"?_=u:s&&typeof u!="function"||v[p]===u||he(t,p,u,v[p],i);h?(s||g&&(h.__html==g.__html||h.__html==t.innerHTML)||(t.innerHTML=h.__html),e.__k=[]):(g&&(t.textContent=""),(x=="foreignObject"||i=="http://www.w3.org/1998/Math/MathML"&&Dn.test(x))&&(i="http://www.w3.org/1999/xhtml"),Mt(d,Xe(l)?l:[l],e,n,o,i,r,a,r?r[0]:n.__k&&B(n,0),s,c),r&&r.some(V)),s&&x!="textarea"||(p="value",x=="progress"&&f==null?t.removeAttribute(p):f==null||f===t[p]&&(x!="progress"||f)||he(t,p,f,v[p],i),p="checked",_!=null&&_!=t[p]&&he(t,p,_,v[p],i))}else v===$||s&&t.data==$||(t.data=$);return t}function Ge(t,e,n,o){try{typeof t=="function"?e?e.__x=t(e)||1:o&&(o=o.__c||o.__e)&&(e=o.__x)&&(o.__x=null,typeof e=="function"?e():t(null)):t.current=e}catch(i){y.__e(i,n)}}function Ye(t,e,n){var o,i,r,a;if(y.unmount&&y.unmount(t),!(o=t.ref)||o.current&&o.current!=t.__e||Ge(o,null,e,t),o=t.__c){if(o.componentWillUnmount)try{o.componentWillUnmount()}catch(s){y.__e(s,e)}o.__P=o.__n=null}if(o=t.__k)for(a=0;a<o.length;a++)o[a]&&Ye(o[a],e,typeof t.type!="function"||n&&!t.props.__P);!n&&(o=t.__c)&&(o=o.__z)&&(i=_e(o,r=[]))&&(o==t.__e&&r.some(V),V(i),V(o)),n||V(t.__e),t.__e=t.__c=t.__=null}function Hn(t,e,n){return this.constructor(t,n)}function Tt(t,e){var n,o,i,r;y.__&&y.__(t,e),e.nodeType==9&&(e=e.documentElement),o=(n=t&&32&t.__u)?null:e.__k,e.__k=ie(ve,{children:[t]}),i=[],r=[],Ve(e,e.__k,o||xe,xe,e.namespaceURI,o?null:e.firstChild?Ke.call(e.childNodes):null,i,o?o.__e:e.firstChild,n,r),At(i,e.__k,r),e.__k.props.children=null}y={__e:function(t,e,n,o){for(var i,r,a;e=e.__;)if((i=e.__c)&&!(1&i.__g)){i.__g|=4;try{if((a=(r=i.constructor)&&r.getDerivedStateFromError)&&i.setState(r.getDerivedStateFromError(t)),i.componentDidCatch&&(i.componentDidCatch(t,o||{}),a=1),a&&8&i.__g)return void(i.__g|=2)}catch(s){t=s}}throw $e=0,t}},xt=0,In=function(t){return t!=null&&t.constructor===ae},ge.prototype.setState=function(t,e){var n=this.__s;n&&n!=this.state||(n=this.__s=G({},this.state)),typeof t=="function"&&(t=t(G({},n),this.props)),t&&(G(n,t),this.__v&&(e&&this.__k.push(e),_t(this)))},ge.prototype.forceUpdate=function(t){this.__v&&(this.__g|=4,t&&this.__h.push(t),_t(this))},ge.prototype.render=ve,L=[],$e=0,bt=function(t,e){return t.__v.__b-e.__v.__b},fe=Symbol(),vt=/(PointerCapture)$|Capture$/i,qe=0,We={},On=0;var te,M,Je,zt,Ze=Object.is,ye=0,Rt=[],Qe=[],k=y,Nt=k.__b,Pt=k.__r,Et=k.diffed,Ft=k.__c,It=k.unmount,Ot=k.__;function we(t,e){k.__h&&k.__h(M,t,ye||e),ye=0;var n=M.__H||(M.__H={__:[],__h:[]});return t>=n.__.length&&n.__.push({}),n.__[t]}function H(t){return ye=1,Wn(jt,t)}function Wn(t,e,n){var o=we(te++,2);if(o.t=t,!o.__c&&(o.__=[n?n(e):jt(void 0,e),function(r){var a=(o.__N||o.__)[0],s=o.t(a,r);Ze(a,s)||(o.__N=[s,o.__[1]],o.__c.setState({}))}],o.__c=M,!M.__f)){M.__f=!0;var i=M.shouldComponentUpdate;M.shouldComponentUpdate=function(r,a,s){var c=this.__H;if(!c)return!0;var d=!1,p=this.props!=r;if(c.__.some(function(g){g.__N&&(d=!0,Ze(g.__[0],g.__N[0])||(p=!0))}),i){var h=i.call(this,r,a,s);return d?h||p:h}return!d||p}}return o.__}function ne(t,e){var n=we(te++,3);!k.__s&&tt(n.__H,e)&&(n.__P=!0,n.__=t,n.u=e,M.__H.__h.push(n))}function ke(t,e){var n=we(te++,4);!k.__s&&tt(n.__H,e)&&(n.__P=!1,n.__=t,n.u=e,M.__h.push(n))}function F(t){return ye=5,w(function(){return{current:t}},[])}function w(t,e){var n=we(te++,7);return tt(n.__H,e)&&(n.__=t(),n.__H=e),n.__}function qn(){var t;do{for(;t=Qe.shift();)try{se(t)}catch(n){k.__e(n,{__:(t=t.__P)&&t.__v})}for(;t=Rt.shift();){var e=t.__H;if(t.__P&&e)try{e.__h.some(se),e.__h.some(et),e.__h=[]}catch(n){e.__h=[],k.__e(n,t.__v)}}}while(Qe.length)}k.__b=function(t){M=null,Nt&&Nt(t)},k.__=function(t,e){t&&e.__k&&e.__k.__m&&(t.__m=e.__k.__m),Ot&&Ot(t,e)},k.__r=function(t){Pt&&Pt(t),te=0;var e=(M=t.__c).__H;e&&(Je==M?M.__h=[]:(e.__h.some(se),e.__h.some(et),te=0),e.__h=[],e.__.some(function(n){n.__N&&(n.__=n.__N),n.u=n.__N=void 0})),Je=M},k.diffed=function(t){Et&&Et(t);var e=t.__c;e&&e.__H&&(e.__H.__h.length&&Ut(Rt.push(e)),e.__H.__.some(function(n){n.u&&(n.__H=n.u)})),Je=M=null},k.__c=function(t,e){e.some(function(n){try{n.__h.some(se),n.__h=n.__h.filter(function(o){return!o.__||et(o)})}catch(o){n.__h=[function(){throw o}]}}),Ft&&Ft(t,e)},k.unmount=function(t){It&&It(t);var e,n,o=t.__c;o&&o.__H&&(o.__H.__.some(function(i){try{if(i.__P&&i.__c){if(n===void 0){for(n=t.__;n&&(!n.__c||!n.__c.__P);)n=n.__;n=n&&n.__c}i.__P=n,Ut(Qe.push(i))}else se(i)}catch(r){e=r}}),o.__H=void 0,e&&k.__e(e,o.__v))};var Dt=typeof requestAnimationFrame=="function";function Xn(t){var e,n=function(){clearTimeout(o),Dt&&cancelAnimationFrame(e),setTimeout(t)},o=setTimeout(n,35);Dt&&(e=requestAnimationFrame(n))}function Ut(t){t!=1&&zt==k.requestAnimationFrame||((zt=k.requestAnimationFrame)||Xn)(qn)}function se(t){var e=M,n=t.__c;typeof n=="function"&&(t.__c=void 0,n()),M=e}function et(t){var e=M;t.__c=t.__(),M=e}function tt(t,e){return!t||t.length!=e.length||e.some(function(n,o){return!Ze(n,t[o])})}function jt(t,e){return typeof e=="function"?e(t):e}var Bt=function(t,e,n,o){var i;e[0]=0;for(var r=1;r<e.length;r++){var a=e[r++],s=e[r]?(e[0]|=a?1:2,n[e[r++]]):e[++r];a===3?o[0]=s:a===4?o[1]=Object.assign(o[1]||{},s):a===5?(o[1]=o[1]||{})[e[++r]]=s:a===6?o[1][e[++r]]+=s+"":a?(i=t.apply(s,Bt(t,s,n,["",null])),o.push(i),s[0]?e[0]|=2:(e[r-2]=0,e[r]=i)):o.push(s)}return o},Lt=new Map;function Ht(t){var e=Lt.get(this);return e||(e=new Map,Lt.set(this,e)),(e=Bt(this,e.get(t)||(e.set(t,e=(function(n){for(var o,i,r=1,a="",s="",c=[0],d=function(g){r===1&&(g||(a=a.replace(/^\s*\n\s*|\s*\n\s*$/g,"")))?c.push(0,g,a):r===3&&(g||a)?(c.push(3,g,a),r=2):r===2&&a==="..."&&g?c.push(4,g,0):r===2&&a&&!g?c.push(5,0,!0,a):r>=5&&((a||!g&&r===5)&&(c.push(r,0,a,i),r=6),g&&(c.push(r,g,0,i),r=6)),a=""},p=0;p<n.length;p++){p&&(r===1&&d(),d(p));for(var h=0;h<n[p].length;h++)o=n[p][h],r===1?o==="<"?(d(),c=[c],r=3):a+=o:r===4?a==="--"&&o===">"?(r=1,a=""):a=o+a[0]:s?o===s?s="":a+=o:o==='"'||o==="'"?s=o:o===">"?(d(),r=1):r&&(o==="="?(r=5,i=a,a=""):o==="/"&&(r<5||n[p][h+1]===">")?(d(),r===3&&(c=c[0]),r=c,(c=c[0]).push(2,0,r),r=0):o===" "||o==="	"||o===`
`||o==="\r"?(d(),r=2):a+=o),r===3&&a==="!--"&&(r=4,c=c[0])}return d(),c})(t)),e),arguments,[])).length>1?e:e[0]}var m=Ht.bind(yt);function z({width:t,height:e,draw:n,deps:o,label:i,name:r,opacity:a}){let s=F(null),c=F(null);return ke(()=>{let p=s.current.getContext("2d",{willReadFrequently:!0});(c.current?.width!==t||c.current.height!==e)&&(c.current=new ImageData(t,e)),n(new Uint32Array(c.current.data.buffer)),p.putImageData(c.current,0,0)},[t,e,...o]),m`<canvas
    ref=${s}
    width=${t}
    height=${e}
    data-name=${r}
    style=${{opacity:a}}
    ...${i?{role:"img","aria-label":i}:{"aria-hidden":!0}}
  />`}function T({title:t,note:e,width:n,height:o,view:i,onView:r,children:a,action:s}){let{zoom:c,x:d,y:p}=i,h=Kn(i,r);return m`<figure class="panel">
    <figcaption>
      <span class="title">${t}</span>${e!==void 0&&m`<span class="note">${e}</span>`}${s}
    </figcaption>
    <div
      class=${`frame ${c>1?"zoomed":""}`}
      tabindex="0"
      role="group"
      aria-label="Image. Plus and minus zoom, arrows pan, zero resets"
      style=${{aspectRatio:`${n} / ${o}`}}
      ...${h}
    >
      <div
        class=${`layers ${c>2?"sharp":""}`}
        style=${{transform:`translate(${100*d}%, ${100*p}%) scale(${c})`}}
      >
        ${a}
      </div>
    </div>
  </figure>`}function W(t,e,n=.5,o=.5){let i=Math.min(16,Math.max(1,e)),r=i/t.zoom;return ce({zoom:i,x:n-(n-t.x)*r,y:o-(o-t.y)*r})}function ce({zoom:t,x:e,y:n}){let o=i=>Number(Math.min(0,Math.max(1-t,i)).toFixed(4))||0;return{zoom:Number(t.toFixed(3)),x:o(e),y:o(n)}}function Kn(t,e){let n=F(new Map),o=F(t);o.current=t;let i=r=>{let a=r.currentTarget.getBoundingClientRect();return{x:(r.clientX-a.left)/a.width,y:(r.clientY-a.top)/a.height}};return{onPointerDown(r){n.current.set(r.pointerId,i(r)),o.current.zoom>1&&r.currentTarget.setPointerCapture(r.pointerId)},onPointerMove(r){r.buttons||n.current.delete(r.pointerId);let a=n.current.get(r.pointerId);if(!a)return;let s=i(r),c=[...n.current].find(([d])=>d!==r.pointerId)?.[1];if(n.current.set(r.pointerId,s),c){let d=h=>Math.hypot(h.x-c.x,h.y-c.y)||.001,p={x:(s.x+c.x)/2,y:(s.y+c.y)/2};e(W(o.current,o.current.zoom*d(s)/d(a),p.x,p.y))}else o.current.zoom>1&&e(ce({zoom:o.current.zoom,x:o.current.x+s.x-a.x,y:o.current.y+s.y-a.y}))},onPointerUp:r=>n.current.delete(r.pointerId),onPointerCancel:r=>n.current.delete(r.pointerId),onDblClick(r){let{x:a,y:s}=i(r);e(o.current.zoom>1?{zoom:1,x:0,y:0}:W(o.current,3,a,s))},onWheel(r){if(!r.ctrlKey&&!r.metaKey)return;r.preventDefault();let{x:a,y:s}=i(r);e(W(o.current,o.current.zoom*Math.exp(-r.deltaY/200),a,s))},onKeyDown(r){let{zoom:a,x:s,y:c}=o.current,d={ArrowLeft:[.1,0],ArrowRight:[-.1,0],ArrowUp:[0,.1],ArrowDown:[0,-.1]}[r.key];if(r.key==="+"||r.key==="=")e(W(o.current,a*1.5));else if(r.key==="-")e(W(o.current,a/1.5));else if(r.key==="0")e({zoom:1,x:0,y:0});else if(d&&a>1)e(ce({zoom:a,x:s+d[0],y:c+d[1]}));else return;r.preventDefault()}}}var Vn=new Intl.NumberFormat("en-US"),Y=t=>Vn.format(t),S=(t,e=0)=>`${(100*t).toFixed(e)} %`,C=t=>S(t,t>.0995&&t<.995?0:1),Me=t=>({ins_del:"insertion − deletion"})[t]??t.replaceAll("_"," "),J=(t,e=3)=>t.toFixed(e).replace("-","−"),Ce=t=>t.replace("imagenet","ImageNet").replaceAll("_"," ");function I({label:t,value:e,options:n,onChange:o}){return m`<div class="field">
    <span class="label">${t}</span>
    <div class="segmented" role="group" aria-label=${t}>
      ${n.map(([i,r])=>m`<button type="button" key=${i} aria-pressed=${i===e} onClick=${()=>o(i)}>
            ${r}
          </button>`)}
    </div>
  </div>`}function R({label:t,value:e,min:n,max:o,step:i,text:r,name:a,onInput:s,ends:c}){let d=`${100*(e-n)/(o-n||1)}%`;return m`<label class="field slider">
    <span class="label">${t} <output>${r}</output></span>
    <input
      type="range"
      data-name=${a}
      min=${n}
      max=${o}
      step=${i}
      value=${e}
      aria-valuetext=${r}
      style=${{"--filled":d}}
      onInput=${p=>s(Number(p.currentTarget.value))}
    />
    ${c&&m`<span class="ends"><span>${c[0]}</span><span>${c[1]}</span></span>`}
  </label>`}function Se({label:t,checked:e,onChange:n}){return m`<label class="check">
    <input
      type="checkbox"
      checked=${e}
      onChange=${o=>n(o.currentTarget.checked)}
    />
    ${t}
  </label>`}function Ae({label:t,value:e,options:n,onChange:o}){return m`<label class="field">
    <span class="label">${t}</span>
    <select value=${e} onChange=${i=>o(Number(i.currentTarget.value))}>
      ${n.map(([i,r])=>m`<option key=${i} value=${i} selected=${i===e}>${r}</option>`)}
    </select>
  </label>`}function nt({text:t,label:e}){let[n,o]=H(!1);return m`<button type="button" class="button" onClick=${async()=>{await Gn(t)&&(o(!0),setTimeout(()=>o(!1),1500))}} aria-live="polite">
    ${n?"Copied":e}
  </button>`}async function Gn(t){try{return await navigator.clipboard.writeText(t),!0}catch{let e=Object.assign(document.createElement("textarea"),{value:t});document.body.append(e),e.select();let n=document.execCommand("copy");return e.remove(),n}}var Yn=[228,60,42],Jn=[44,112,200],Te=[[228,116,0],[0,114,178]],Zn=[17,140,90],Qn=[.05,.15,.3],Wt=to();function Z(t){let e=Float64Array.from(t,r=>Number.isFinite(r)?r:0),n=e.slice().sort(),[o,i]=[ot(n,1-.995),ot(n,.995)];return o<0&&-o>.05*Math.max(i,0)?e.map(r=>ze(r/Math.max(i,-o),-1,1)):(i<=o&&([o,i]=[n[0],n[n.length-1]]),e.map(r=>i>o?ze((r-o)/(i-o),0,1):0))}function q(t,e,n){for(let o=0;o<t.length;o++){let i=Math.abs(e[o]);t[o]=Wt[Math.round(255*i)]&16777215|Math.round(255*n*i**.9)<<24}}function qt(t,e,n){for(let o=0;o<t.length;o++)t[o]=le(e[o]>0?Yn:Jn,n*Math.abs(e[o])**.6)}function Xt(t,e,n,o){t.fill(0),Qn.forEach((i,r)=>{let a=i*t.length,s=Wt[[255,200,140][r]];for(let c=0;c<t.length;c++)e[c]<a&&eo(e,c,n,a)&&(t[c]=s&16777215|Math.round(255*Math.min(1,o+.15))<<24)})}function eo(t,e,n,o){let i=e%n;return i>0&&t[e-1]>=o||i<n-1&&t[e+1]>=o||e>=n&&t[e-n]>=o||e+n<t.length&&t[e+n]>=o}function Kt(t,e,n,o){let i=Ne(e);for(let r=0;r<t.length;r++){let a=e.reduce((c,d,p)=>d[r]>e[c][r]?p:c,0),s=Math.min(1,e[a][r]/i)**.75;t[r]=le(Te[a%Te.length],a<n.length?o*n[a]*s:0)}}function Vt(t,e,n,o=-1){let i=o<0?Zn:Te[o%Te.length];for(let r=0;r<t.length;r++)t[r]=le(i,.9*ze(e[r]/n,0,1)**.75)}function Ne(t){let e=t[0].map((n,o)=>Math.max(...t.map(i=>i[o]))).sort();return ot(e,.995)||e[e.length-1]||1}function Gt(t,e,n=.3){for(let o=0;o<t.length;o++){let i=e[o],r=[i&255,i>>8&255,i>>16&255],a=(r[0]+r[1]+r[2])/3;t[o]=le(r.map(s=>.9*(a+n*(s-a))),1)}}function ot(t,e){let n=e*(t.length-1),o=Math.floor(n),i=Math.min(o+1,t.length-1);return t[o]+(n-o)*(t[i]-t[o])}function ze(t,e,n){return Math.min(n,Math.max(e,t))}function le([t,e,n],o){return(Math.round(255*o)<<24|Math.round(n)<<16|Math.round(e)<<8|Math.round(t))>>>0}function to(){let t=[[.0002189403691192265,.001651004631001012,-.01948089843709184],[.1065134194856116,.5639564367884091,3.932712388889277],[11.60249308247187,-3.972853965665698,-15.9423941062914],[-41.70399613139459,17.43639888205313,44.35414519872813],[77.162935699427,-33.40235894210092,-81.80730925738993],[-71.31942824499214,32.62606426397723,73.20951985803202],[25.13112622477341,-12.24266895238567,-23.07032500287172]];return Uint32Array.from({length:256},(e,n)=>{let o=i=>t.reduceRight((r,a)=>r*(n/255)+a[i],0);return le([0,1,2].map(i=>ze(255*o(i),0,255)),1)})}function Yt(t,e,n,o,i,r){let[a,s]=r==="deletion"?[n,e]:[e,n];for(let c=0;c<t.length;c++)t[c]=o[c]<i?a[c]:s[c]}function no(t){let e=new Uint32Array(t.keys()).sort((o,i)=>t[i]-t[o]||o-i),n=new Uint32Array(t.length);return e.forEach((o,i)=>n[o]=i),n}function Jt(t,e){let n=no(t),o=e instanceof Int16Array?new Uint16Array(t.length):new Uint32Array(t.length);for(let i=0;i<t.length;i++)o[i]=n[i]+e[i];return o}function Ee({counts:t,probabilities:e},n){let o=e.length/t.length,i=Math.max(0,t.findIndex(h=>h>=n)),r=n>t[t.length-1],a=r?t.length-1:i,s=t[a]===n,c=s||r||a===0?a:a-1,d=c===a?0:(n-t[c])/(t[a]-t[c]);return{values:Array.from({length:o},(h,g)=>{let[l,u]=[e[c*o+g],e[a*o+g]];return l+d*(u-l)}),measured:s,left:c,right:a}}function Zt({counts:t,probabilities:e,top1:n,highest:o},i){let r=e.length/t.length,a=t.filter(s=>s<i.count).length;return{counts:Pe(t,a,[i.count]),probabilities:Float32Array.from(Pe(Array.from(e),a*r,i.probabilities)),top1:Int32Array.from(Pe(Array.from(n),a,[i.top1])),highest:Float32Array.from(Pe(Array.from(o),a,[i.top1_probability]))}}var Pe=(t,e,n)=>[...t.slice(0,e),...n,...t.slice(e)];function Qt({counts:t,top1:e},n,o){let i=e.findIndex(r=>r===n==(o==="insertion"));return i<0?null:t[i]}function en(t,e,n){let o=t.reduce((i,r)=>Math.abs(r-e)<Math.abs(i-e)?r:i);return Math.abs(o-e)<=n?o:e}function tn(t){let e=t[0].length,n=new Float64Array(e);for(let o=0;o<e;o++){let i=0,r=0;for(let a of t){let s=a[o]/e;i+=s,r+=s*s}n[o]=Math.sqrt(Math.max(0,r/t.length-(i/t.length)**2))}return n}function pe(t,e,n,o,i){let[r,a]=[nn(e,o),nn(n,i)],s=new Float64Array(o*i);for(let c=0,d=0;c<o;c++){let{low:p,high:h,share:g}=r[c];for(let l=0;l<i;l++,d++){let{low:u,high:f,share:_}=a[l],b=(1-_)*t[p*n+u]+_*t[p*n+f],v=(1-_)*t[h*n+u]+_*t[h*n+f];s[d]=(1-g)*b+g*v}}return s}function nn(t,e){return Array.from({length:e},(n,o)=>{let i=Math.max(0,(o+.5)*t/e-.5),r=Math.min(Math.floor(i),t-1);return{low:r,high:Math.min(r+1,t-1),share:t===e?0:i-r}})}var on=new WeakMap;function rt(t,e,n){let o=on.get(t)??new Map;return on.set(t,o),o.has(e)||o.set(e,n()),o.get(e)}function de(t,e){let{height:n,width:o}=t.bundle;return rt(t,`map ${e}`,()=>pe(t.map(e),t.rows,t.cols,n,o))}function rn(t,e){return rt(t,`strength ${e}`,()=>Z(de(t,e)))}function an(t,e,n){let{height:o,width:i}=t.bundle;return rt(t,`step ${e} ${n}`,()=>{let[,,r,a]=t.tensor("extras.path").shape,s=t.ofClass("extras.path",e);return Z(pe(s.subarray(n*r*a,(n+1)*r*a),r,a,o,i))})}function Fe({entry:t,target:e,reference:n,direction:o,count:i,label:r,name:a="perturbed"}){let{bundle:s}=t,c=s.references[n].image(o,e);return m`<${z}
    name=${a}
    width=${s.width}
    height=${s.height}
    label=${r}
    draw=${d=>Yt(d,s.image,c,t.ranks(e),i,o)}
    deps=${[t,e,n,o,i]}
  />`}function Ie({entry:t,target:e,view:n,opacity:o,label:i}){let{width:r,height:a}=t.bundle;return m`<${z}
    name="map"
    width=${r}
    height=${a}
    draw=${c=>{n==="off"||n==="contour"&&!t.orders(e)?c.fill(0):n==="contour"?Xt(c,t.ranks(e),r,o):(n==="signed"?qt:q)(c,rn(t,e),o)}}
    deps=${[t,e,n,o]}
    label=${i}
  />`}function E({bundle:t,color:e}){return m`<${z}
    width=${t.width}
    height=${t.height}
    deps=${[t,e]}
    draw=${n=>Gt(n,t.image,e)}
  />`}function sn({view:t}){return t==="signed"?m`<span class="key"><i class="ramp signed"></i>against to for</span>`:t==="contour"?m`<span class="key">top 5, 15, 30 %</span>`:t==="off"?m`<span class="key">map hidden</span>`:m`<span class="key"><i class="ramp"></i>low to high</span>`}var A={left:44,right:22,top:22,bottom:34};function oe(t){let{series:e,position:n,max:o,height:i=200,label:r,axis:a,marker:s,range:c=[0,1],onScrub:d,ticks:p}=t,{formatX:h=x=>S(x/o),formatY:g=x=>S(x)}=t,l=F(null),u=io(l),f=x=>A.left+(u-A.left-A.right)*x/(o||1),_=x=>i-A.bottom-(i-A.top-A.bottom)*(x-c[0])/(c[1]-c[0]||1),b=w(()=>m`<g>
        ${[0,.25,.5,.75,1].map(x=>c[0]+x*(c[1]-c[0])).map(x=>m`<line class="grid" x1=${f(0)} x2=${f(o)} y1=${_(x)} y2=${_(x)} />
                <text class="tick" x=${A.left-8} y=${_(x)+4} text-anchor="end">${g(x)}</text>`)}
        ${(p??[0,.25,.5,.75,1].map(x=>x*o)).map(x=>m`<text class="tick" x=${f(x)} y=${i-A.bottom+16} text-anchor="middle"
              >${h(x)}</text
            >`)}
        <text class="tick" x=${(f(0)+f(o))/2} y=${i-3} text-anchor="middle">${a}</text>
        ${s&&m`<line class=${`marker ${s.good?"good":""}`} x1=${f(s.at)} x2=${f(s.at)} y1=${A.top} y2=${i-A.bottom} />`}
        ${e.map(x=>m`<${ro} key=${x.name} series=${x} toX=${f} toY=${_} />`)}
        ${s&&m`<text
            class=${`marker-text ${s.good?"good":""}`}
            text-anchor=${s.at>.6*o?"end":"start"}
            x=${f(s.at)+(s.at>.6*o?-6:6)}
            y=${A.top-8}
            >${s.text}</text
          >`}
      </g>`,[e,u,i,o,s?.at,s?.text]),$=oo(x=>{let N=x.currentTarget.getBoundingClientRect(),Q=(x.clientX-N.left-A.left)/(u-A.left-A.right);d?.(Math.min(1,Math.max(0,Q))*o)});return m`<div class="chart" ref=${l}>
    <svg width=${u} height=${i} role="img" aria-label=${r} class=${d?"scrubbable":""} ...${d?$:{}}>
      ${b}
    </svg>
    ${n!==void 0&&m`<div
        class="cursor"
        style=${{transform:`translateX(${f(n)}px)`,top:`${A.top-4}px`,height:`${i-A.top-A.bottom+4}px`}}
      ></div>`}
  </div>`}function oo(t){let e=F(null);return{onPointerDown(n){n.currentTarget.setPointerCapture(n.pointerId),e.current=n.pointerType==="touch"?n.clientX:null,e.current===null&&t(n)},onPointerMove(n){e.current!==null&&Math.abs(n.clientX-e.current)>8&&(e.current=null),n.buttons&&e.current===null&&t(n)},onPointerUp(n){e.current!==null&&t(n),e.current=null}}}function ro({series:t,toX:e,toY:n}){let o=t.x.map((r,a)=>[e(r),n(t.y[a])]).filter(([,r])=>Number.isFinite(r)),i=o.map(([r,a])=>`${r.toFixed(1)},${a.toFixed(1)}`).join(" ");return m`<g
    class=${["series",t.strong&&"strong",t.dashed&&"dashed",t.plain&&"plain"].filter(Boolean).join(" ")}
    style=${{color:t.color}}
  >
    <polyline points=${i} />
    ${!t.plain&&o.map(([r,a])=>m`<circle cx=${r.toFixed(1)} cy=${a.toFixed(1)} r=${t.strong?3.2:1.8} />`)}
  </g>`}function io(t){let[e,n]=H(480);return ke(()=>{let o=t.current,i=()=>n(Math.max(200,Math.round(o.clientWidth))),r=new ResizeObserver(i);return r.observe(o),i(),()=>r.disconnect()},[]),e}var it={deletion:"removed",insertion:"shown"};function Oe({chosen:t,set:e,series:n,flip:o,valueText:i}){let{bundle:r,direction:a,count:s,reference:c}=t,d=it[a],p=w(()=>o==null?null:{at:o,...a==="deletion"?{text:"decision flips"}:{text:"recognized",good:!0}},[o,a]);return m`<div class="scrubber">
    <div class="row">
      <${I}
        label="Test by"
        value=${a}
        onChange=${h=>e({direction:h,count:0})}
        options=${[["deletion","removing pixels"],["insertion","adding pixels"]]}
      />
      ${r.references.length>1&&m`<${I}
          label=${a==="deletion"?"Replace by":"Start from"}
          value=${r.references[c].name}
          onChange=${h=>e({reference:h})}
          options=${r.references.map(h=>[h.name,Ce(h.name)])}
        />`}
    </div>
    <${oe}
      series=${n}
      position=${s}
      max=${r.pixels}
      marker=${p}
      onScrub=${h=>e({count:cn(t,h)})}
      label=${`Probability while pixels are ${d}. Drag to scrub.`}
      axis=${`pixels ${d}, most important first`}
    />
    <${at} name="scrub" chosen=${t} set=${e} valueText=${i} />
    <p class="legend">
      <span><i class="dot"></i>measured</span><span><i class="line"></i>interpolated</span>
      <span class="count">${S(s/r.pixels,1)} · ${Y(s)} pixels ${d}</span>
    </p>
  </div>`}function at({name:t,chosen:e,set:n,valueText:o}){let{bundle:i,direction:r,count:a,curve:s}=e,{pixels:c}=i,d=u=>n({count:Math.min(c,Math.max(0,u))}),p=s.counts.filter(u=>u<a).at(-1),h=s.counts.find(u=>u>a),g=u=>{let f={ArrowRight:1,ArrowUp:1,ArrowLeft:-1,ArrowDown:-1}[u.key],_={PageUp:h??a,PageDown:p??a,Home:0,End:c}[u.key];f===void 0&&_===void 0||(u.preventDefault(),d(_??a+Math.round((f??0)*c/100)))},l=F(g);return l.current=g,ne(()=>{if(t!=="scrub")return;let u=f=>["ArrowLeft","ArrowRight"].includes(f.key)&&ao(f)&&l.current(f);return addEventListener("keydown",u),()=>removeEventListener("keydown",u)},[t]),m`<div class="slide">
    <button
      type="button"
      class="step"
      aria-label="Previous measured point"
      disabled=${p===void 0}
      onClick=${()=>d(p??0)}
    >
      ‹
    </button>
    <input
      type="range"
      data-name=${t}
      min="0"
      max=${c}
      step="1"
      value=${a}
      aria-label=${`Pixels ${it[r]}`}
      aria-valuetext=${`${S(a/c,1)} of the pixels ${it[r]}. ${o}`}
      style=${{"--filled":`${100*a/c}%`}}
      onInput=${u=>n({count:cn(e,Number(u.currentTarget.value))})}
      onKeyDown=${g}
    />
    <button
      type="button"
      class="step"
      aria-label="Next measured point"
      disabled=${h===void 0}
      onClick=${()=>d(h??0)}
    >
      ›
    </button>
  </div>`}var ao=t=>!t.defaultPrevented&&!(t.altKey||t.ctrlKey||t.metaKey||t.shiftKey)&&!t.target.closest("input, select, textarea"),cn=({bundle:t,curve:e},n)=>en(e.counts,Math.round(n),.008*t.pixels);function ln(t){let e=F(0);return(n,o)=>{let i=()=>cancelAnimationFrame(e.current);if(i(),matchMedia("(prefers-reduced-motion: reduce)").matches)return t({count:o});let r=performance.now(),a=s=>{let c=Math.min(1,Math.max(0,(s-r)/700));t({count:c<1?Math.round(n+(o-n)*c*c*(3-2*c)):o}),c<1&&(e.current=requestAnimationFrame(a))};e.current=requestAnimationFrame(a);for(let s of["pointerdown","keydown"])addEventListener(s,i,{capture:!0,once:!0})}}var st={U8:Uint8Array,U16:Uint16Array,U32:Uint32Array,I16:Int16Array,I32:Int32Array,F32:Float32Array};function pn(t,{packed:e=!1}={}){let n=new DataView(t.buffer,t.byteOffset,t.byteLength),o=8+Number(n.getBigUint64(0,!0)),i=JSON.parse(new TextDecoder().decode(t.subarray(8,o))),r=new Map;for(let[a,s]of Object.entries(i)){if(a==="__metadata__")continue;let[c,d]=s.data_offsets,p=t.slice(o+c,o+d),h=s.shape,g=e?so(p,s.dtype,h[h.length-1]):p,l=new st[s.dtype](g.buffer);r.set(a,{values:l,shape:h})}return{metadata:i.__metadata__??{},tensors:r}}function so(t,e,n){let o=co(t,st[e].BYTES_PER_ELEMENT);if(e.startsWith("I"))return o;let i=new st[e==="F32"?"U32":e](o.buffer);if(lo(i,n),e==="F32")for(let r=0;r<i.length;r++)i[r]=i[r]&2147483648?i[r]&2147483647:~i[r];return o}function co(t,e){let n=t.length/e,o=new Uint8Array(t.length);for(let i=0;i<e;i++)for(let r=0;r<n;r++)o[r*e+i]=t[i*n+r];return o}function lo(t,e){for(let n=0;n<t.length;n++)t[n]=t[n]>>>1^-(t[n]&1);for(let n=e;n<t.length;n++)t[n]+=t[n-e];for(let n=1;n<t.length;n++)n%e&&(t[n]+=t[n-1])}var un=["deletion","insertion"],dt=["random","center"],ct=class{constructor(e,n,o){this.bundle=o,this.method=e.label||e.method,this.about=e.about,this.options=e.options,this.classAgnostic=e.class_agnostic,this.cost=e.cost,this.checks=e.checks,this.scores=e.scores,this.citation=e.citation,this.code=e.code,this.tensors=n.has("order")?mo(n,o):n,this.asked=new Map,this.ranked=new Map,this.ordered=new Map;let[,i,r]=this.tensor("maps").shape;this.rows=i,this.cols=r,this.name=e.method,this.isBaseline=dt.includes(this.name)}tensor(e){let n=this.tensors.get(e);if(!n)throw new Error(`the bundle holds no ${e} of ${this.method}`);return n}has(...e){return e.every(n=>this.tensors.has(n))}ofClass(e,n){let{values:o,shape:i}=this.tensor(e),r=o.length/i[0],a=i[0]===1?0:n;return o.subarray(a*r,(a+1)*r)}score(e,n,o){let i=this.scores.filter(r=>r.metric===e&&r.target===n);return i.find(r=>r.reference===o)??i.find(r=>r.reference==="all")}map(e){return this.ofClass("maps",e)}orders(e){let n=this.classAgnostic?0:e,o=this.ordered.get(n)??this.map(n).every(Number.isFinite);return this.ordered.set(n,o),o}get contrasts(){return!this.classAgnostic&&this.bundle.targets.every((e,n)=>this.orders(n))}ranks(e){if(this.has("ranks"))return this.ofClass("ranks",e);let n=this.classAgnostic?0:e,o=this.ranked.get(n);if(o)return o;let i=this.orders(n)?de(this,n):new Float64Array(this.bundle.pixels),r=Jt(i,this.ofClass("corrections",n));return this.ranked.set(n,r),r}curve(e,n,o){let i=this.bundle.counts[n],r=this.bundle.references.length,a=un.indexOf(n)*r+o,s=this.bundle.watched.length,c=this.ofClass("probabilities",e),d=this.ofClass("top1",e),p=this.ofClass("top1_probabilities",e),h=i.length,g={counts:i,probabilities:c.subarray(a*h*s,(a+1)*h*s),top1:d.subarray(a*h,(a+1)*h),highest:p.subarray(a*h,(a+1)*h)};return(this.asked.get(dn(e,n,o))??[]).reduce(Zt,g)}addPoint(e,n,o,i){let r=dn(e,n,o);this.asked=new Map(this.asked).set(r,[...this.asked.get(r)??[],i])}},dn=(t,e,n)=>`${t} ${e} ${n}`,lt=class{constructor(e,n,o){this.name=e;let[i,r]=un.map(a=>{let{values:s,shape:c}=n(a)??n("deletion"),d=s.length/c[0];return Array.from({length:c[0]},(p,h)=>hn(s.subarray(h*d,(h+1)*d),o))});this.images={deletion:i,insertion:r}}image(e,n){let o=this.images[e];return o.length===1?o[0]:o[n]}},pt=class{constructor(e,n){this.name=e.name,this.model=e.model,this.targets=e.targets,this.prediction=e.prediction,this.counts=e.counts,this.classNames=e.class_names;let o=n.get("image");if(!o)throw new Error("the bundle holds no image");this.height=o.shape[1],this.width=o.shape[2],this.pixels=this.height*this.width,this.image=hn(o.values,this.pixels),this.watched=e.watched.map((i,r)=>({index:i,slot:r,name:this.className(i),probability:e.probabilities[r]})),this.references=e.references.map(i=>new lt(i,r=>n.get(`references.${i}.${r}`),this.pixels)),this.entries=e.explanations.map((i,r)=>new ct(i,ho(n,`explanations.${r}.`),this))}className(e){return(this.classNames[e]??`class ${e}`).split(",")[0]}info(e){return this.watched.find(n=>n.index===e)}},po="0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%,()*+-;.=:?@^_`{|}~";function mn(t){let e=t.trim(),n=Object.fromEntries([...po].map((i,r)=>[i.charCodeAt(0),r])),o=new DataView(new ArrayBuffer(Math.ceil(e.length/5)*4));for(let i=0;i<e.length;i+=5){let r=0;for(let a=i;a<i+5;a++)r=r*85+(n[e.charCodeAt(a)]??84);o.setUint32(i/5*4,r)}return uo(new Uint8Array(o.buffer,0,Math.floor(e.length*.8)))}async function uo(t){let e=new Blob([t]).stream().pipeThrough(new DecompressionStream("gzip")),n=new Uint8Array(await new Response(e).arrayBuffer()),{metadata:o,tensors:i}=pn(n,{packed:!0});return new pt(JSON.parse(o.seewhy),i)}function hn(t,e){let n=t.length/3,o=new Uint8ClampedArray(e*4);for(let i=0,r=0;i<e;i++,r+=4){let a=n===1?0:i;o[r]=t[a],o[r+1]=t[n+a],o[r+2]=t[2*n+a],o[r+3]=255}return new Uint32Array(o.buffer)}function mo(t,{height:e,width:n,pixels:o}){let[i,r,a]=["order","levels","step"].map(l=>t.get(l).values),s=i instanceof Int16Array,c=s?new Uint16Array(i.buffer):i,d=new Int32Array(r.buffer),p=s?new Uint16Array(i.length):new Uint32Array(i.length),h=new Float32Array(i.length);for(let l=0;l<i.length;l++){let u=Math.floor(l/o),f=u*o+c[l];p[f]=l-u*o,h[f]=d[l]*a[u]}let g=[a.length,e,n];return new Map(t).set("maps",{values:h,shape:g}).set("ranks",{values:p,shape:g})}function ho(t,e){return new Map([...t].filter(([n])=>n.startsWith(e)).map(([n,o])=>[n.slice(e.length),o]))}function O(t,e){let n=t.entries[e.method]??t.entries[0],o=Math.max(0,t.targets.indexOf(e.class)),i=Math.max(0,t.references.findIndex(r=>r.name===e.reference));return{bundle:t,entry:n,target:o,explained:t.info(t.targets[o]),reference:i,count:Math.round(Math.min(t.pixels,Math.max(0,e.count))),direction:e.direction,curve:n.curve(o,e.direction,i),view:ce(e)}}var X=t=>`var(--series-${t%8})`;function fn({bundle:t,state:e,set:n}){let o=O(t,e),{target:i,reference:r,direction:a,count:s,explained:c,view:d}=o,p=w(()=>xo(o),[t,i,r,a]),h=t.entries.map(u=>u.orders(i)?Ee(u.curve(i,a,r),s).values[c.slot]:null),g=t.entries.map((u,f)=>`${u.method} ${De(h[f])}`).join(", "),l=w(()=>({top:m`<header class="intro">
      <h1>Which map finds what the model needs?</h1>
      <p>
        Every method ranks the pixels of this image for <b>${c.name}</b>. Drag once, and each map loses its own
        most important pixels: the better the map, the sooner
        the probability ${a==="deletion"?"drops":"rises"}. Scattered pixels destroy any image, so a
        quick drop alone proves little: a map is worth looking at if its insertion − deletion beats the baselines.
      </p>
    </header>
    <div class="choices row">
      ${t.targets.length>1&&m`<${I}
          label="Class"
          value=${String(c.index)}
          onChange=${u=>n({class:Number(u)})}
          options=${t.targets.map(u=>[String(u),t.className(u)])}
        />`}
      <${I}
        label="Show"
        value=${e.show}
        onChange=${u=>n({show:u})}
        options=${[["both","Map and image"],["map","Map"],["image","Image"]]}
      />
      ${e.show!=="image"&&m`<${I}
          label="Map"
          value=${e.view}
          onChange=${u=>n({view:u})}
          options=${[["magnitude","Magnitude"],["signed","Signed"],["contour","Contour"]]}
        />`}
      <div class="field zooms">
        <span class="label">Zoom ${d.zoom.toFixed(1)}×</span>
        <div class="segmented" role="group" aria-label="Zoom">
          <button type="button" aria-label="Zoom out" onClick=${()=>n(W(d,d.zoom/1.5))}>−</button>
          <button type="button" aria-label="Zoom in" onClick=${()=>n(W(d,d.zoom*1.5))}>+</button>
          <button type="button" onClick=${()=>n({zoom:1,x:0,y:0})}>Reset</button>
        </div>
      </div>
    </div>`,scores:m`<section class="card scores" aria-label="Scores">
        <h2>Scores</h2>
        <${$o} chosen=${o} state=${e} set=${n} />
      </section>`,disagreement:m`<${_o} chosen=${o} set=${n} />`}),[t,i,r,a,e.show,e.view,e.sort,e.descending,e.zoom,e.x,e.y]);return m`${l.top}
    <div class="compare">
      <div class="column">
      <section class="card curves" aria-label="Curves">
        <h2>Probability of ${c.name}</h2>
        <${Oe} chosen=${o} set=${n} series=${p} valueText=${g} />
        <p class="names">
          ${t.entries.map((u,f)=>m`<span><i class="swatch" style=${{background:Ue(u,f)}}></i>${u.method}</span>`)}
        </p>
      </section>
      ${l.disagreement}
      </div>
      <div class="column">
      <section class="methods" aria-label="Methods" style=${{"--columns":fo(t.entries.length,e.show)}}>
        ${t.entries.map((u,f)=>m`<${go} key=${f} entry=${u} chosen=${o} state=${e} set=${n} color=${Ue(u,f)} value=${h[f]} />`)}
      </section>
      ${l.scores}
      </div>
      <div class="dock"><${at} name="dock" chosen=${o} set=${n} valueText=${g} /></div>
    </div>`}var De=t=>t===null?"not tested":C(t),fo=(t,e)=>t<=(e==="both"?6:4)?t:Math.ceil(t/2);function go({entry:t,chosen:e,state:n,set:o,color:i,value:r}){let{bundle:a,target:s,reference:c,direction:d,count:p,view:h}=e,g={width:a.width,height:a.height,view:h,onView:o},l=m`<button
    type="button"
    class="link"
    title=${`Explain with ${t.method}`}
    onClick=${()=>o({screen:"explain",method:a.entries.indexOf(t)})}
  >
    <i class="swatch" style=${{background:i}}></i>${t.method}
  </button>`,u=n.show!=="image",f=n.show==="map"?De(r):void 0,_=w(()=>u&&m`<${T} ...${g} title=${l} note=${f}>
        <${E} bundle=${a} /><${Ie}
          entry=${t}
          target=${s}
          view=${n.view}
          opacity=${n.opacity}
          label=${`Map by ${t.method}`}
      /><//>`,[t,s,u,f,n.view,n.opacity,n.zoom,n.x,n.y]);return m`<div class="method">
    ${_}
    ${n.show!=="map"&&m`<${T}
        ...${g}
        title=${u?m`<span class="muted">${a.className(a.targets[s])}</span>`:l}
        note=${m`<b>${De(r)}</b>`}
      >
        <${Fe}
          entry=${t}
          target=${s}
          reference=${c}
          direction=${r===null?"deletion":d}
          count=${r===null?0:p}
          label=${`Perturbed by ${t.method}: ${De(r)}`}
      /><//>`}
  </div>`}function _o({chosen:{bundle:t,target:e,view:n},set:o}){let i=t.entries.filter(s=>!s.isBaseline&&s.orders(e)),r=w(()=>i.length>1?tn(i.map(s=>s.ranks(e))):null,[t,e]);if(!r)return null;let a=r.reduce((s,c)=>s+c,0)/r.length;return m`<section class="card disagreement" aria-label="Disagreement">
    <h2>Where the methods disagree</h2>
    <p class="muted">
      Bright where ${i.map(s=>s.method).join(", ")} rank a pixel differently. On average, ranks differ
      by ±${S(a)}.
    </p>
    <${T} title="Spread of the ranks" width=${t.width} height=${t.height} view=${n} onView=${o}>
      <${E} bundle=${t} />
      <${z}
        name="disagreement"
        width=${t.width}
        height=${t.height}
        deps=${[r]}
        label="Standard deviation of the relative ranks"
        draw=${s=>q(s,Z(r),.9)}
      />
    <//>
  </section>`}function $o({chosen:{bundle:t,reference:e,explained:n},state:o,set:i}){let r=t.references[e].name,a=[...new Map(t.entries.flatMap(u=>u.scores.map(f=>[f.metric,f.higher_is_better])))],s=(u,f)=>f==="passes"?u.cost.forwards+u.cost.backwards:u.score(f,n.index,r)?.score??null,c=[...a,["passes",!1]],d=o.descending?-1:1,p=[...t.entries].sort((u,f)=>{if(o.sort==="method")return d*u.method.localeCompare(f.method);let[_,b]=[s(u,o.sort),s(f,o.sort)];return _===null||b===null?+(_===null)-+(b===null):d*(_-b)}),h=new Map(c.map(([u,f])=>{let _=t.entries.map(b=>s(b,u)).filter(b=>b!==null);return[u,f?Math.max(..._):Math.min(..._)]})),g=(u,f)=>i(u===o.sort?{descending:!o.descending}:{sort:u,descending:f}),l=(u,f,_)=>m`<th
      scope="col"
      key=${u}
      aria-sort=${u===o.sort?o.descending?"descending":"ascending":"none"}
    >
      <button type="button" onClick=${()=>g(u,f)}>
        ${u==="ins_del"?"ins − del":Me(u)} <span aria-hidden="true">${u===o.sort?o.descending?"▼":"▲":_}</span>
      </button>
    </th>`;return m`<div class="scroll">
      <table>
        <thead>
          <tr>
            ${l("method",!1,"")}${c.map(([u,f])=>l(u,f,f?"↑":"↓"))}
          </tr>
        </thead>
        <tbody>
          ${p.map(u=>m`<tr key=${t.entries.indexOf(u)}>
                <th scope="row">
                  <i class="swatch" style=${{background:Ue(u,t.entries.indexOf(u))}}></i
                  >${u.method}
                </th>
                ${c.map(([f])=>{let _=s(u,f),b=_===null?"–":f==="passes"?Y(Math.round(_)):J(_);return m`<td
                    class=${f!=="passes"&&_!==null&&_===h.get(f)?"best":""}
                  >
                    ${b}
                  </td>`})}
              </tr>`)}
        </tbody>
      </table>
    </div>
    <p class="muted">
      Reference: ${Ce(r)}. ↑ higher is better, ↓ lower is better; the best value is bold. Passes: forward and backward,
      to make the map.
    </p>`}var Ue=(t,e)=>t.isBaseline?["var(--muted)","var(--ink)"][dt.indexOf(t.name)]:X(e);function xo({bundle:t,target:e,direction:n,reference:o,explained:i}){let r=t.watched.length;return t.entries.flatMap((a,s)=>{if(!a.orders(e))return[];let{counts:c,probabilities:d}=a.curve(e,n,o),p=c.map((h,g)=>d[g*r+i.slot]);return[{name:`${s} ${a.method}`,color:Ue(a,s),x:c,y:p,strong:!a.isBaseline,dashed:a.isBaseline}]})}var gn=95367431640625e-20;function _n(t,{temperatures:e,mode:n,scale:o}){let i=e.map(d=>n==="multiply"?d:1/d),r=o==="max"&&bo(t)||1,a=t[0].length,s=t.map(()=>new Float64Array(a)),c=new Float64Array(t.length);for(let d=0;d<a;d++){let p=Math.max(...t.map(h=>h[d]));for(let h of i){let g=0;for(let l=0;l<t.length;l++)g+=c[l]=Math.exp((t[l][d]-p)/r*h);for(let l=0;l<t.length;l++)s[l][d]+=c[l]/g/i.length}}return s}function $n(t,e,n){let o=1/t.length,i=Math.max(n,gn);return t.map((r,a)=>r.map((s,c)=>e[a][c]-o>i?s*e[a][c]:0))}function xn(t,e){let n=1/t.length;return t[0].map((o,i)=>{let r=Math.min(...t.map(s=>Math.max(s[i],0))),a=Math.max(...e.map(s=>s[i]));return r*(1-(a-n)/(1-n))})}function bn(t,e){let n=t.map(o=>new Float64Array(o.length));for(let o=0;o<t[0].length;o++){let i=e.map(c=>c[o]),r=Math.max(...i),a=i.indexOf(r),s=Math.max(...i.filter((c,d)=>d!==a));r-s>gn&&(n[a][o]=Math.max(t[a][o],0)*(r-s))}return n}function bo(t){let e=0;for(let n of t)for(let o of n)e=Math.max(e,Math.abs(o));return e}function ut(t,e,n){let o=e.map(r=>de(t,r)),i=_n(o,n);return{distribution:i,own:$n(o,i,n.margin),won:bn(o,i),shared:xn(o,i)}}var vn=[1,5,100];function vo(t,e){let n=t.split(/[\s,;]+/).filter(Boolean).map(Number),o=i=>i<1/0&&(e==="divide"?i>0:i>=0);return n.length&&n.every(o)?n:null}function yn({bundle:t,state:e,set:n}){let{view:o}=O(t,e),i=t.entries.filter($=>$.contrasts),r=i.includes(t.entries[e.method])?t.entries[e.method]:i[0],a=Math.max(0,t.targets.indexOf(e.a)),s=t.targets.includes(e.b)&&t.targets.indexOf(e.b)!==a?t.targets.indexOf(e.b):+(a===0),c=vo(e.temperatures,e.mode),d=c??vn,p=w(()=>ut(r,[a,s],{temperatures:d,mode:e.mode,scale:e.scaled?"max":null,margin:e.margin}),[r,a,s,d.join(),e.mode,e.scaled,e.margin]),h=w(()=>Ne(p.own),[p]),[g,l]=[a,s].map($=>t.className(t.targets[$])),u=[Math.min(1,2*(1-e.mix)),Math.min(1,2*e.mix)],f=p.own.map($=>$.reduce((x,N)=>x+ +(N!==0),0)/$.length),_={width:t.width,height:t.height,view:o,onView:n},b=t.targets.map($=>[$,t.className($)]),v=($,x,N,Q,ee)=>m`<${E} bundle=${t} color=${0} /><${z}
        name=${$}
        width=${t.width}
        height=${t.height}
        label=${ee}
        deps=${[x,N]}
        draw=${D=>Vt(D,x,N,Q)}
      />`;return m`<header class="intro">
      <h1>Why <strong class="class-a">${g}</strong> and not <strong class="class-b">${l}</strong>?</h1>
      <p>
        Where both classes claim the same pixels, they compete, and each keeps only what it wins (VAR). Slide from one
        class to the other. The model gives${" "}
        ${g} ${C(t.info(t.targets[a])?.probability??0)} and ${l} ${C(t.info(t.targets[s])?.probability??0)}.
      </p>
    </header>
    <div class="choices row">
      <${Ae}
        label="A"
        value=${t.targets[a]}
        options=${b}
        onChange=${$=>n($===t.targets[s]?{a:$,b:t.targets[a]}:{a:$})}
      />
      <${Ae}
        label="B"
        value=${t.targets[s]}
        options=${b}
        onChange=${$=>n($===t.targets[a]?{a:t.targets[s],b:$}:{b:$})}
      />
      <${Ae}
        label="Method"
        value=${t.entries.indexOf(r)}
        options=${i.map($=>[t.entries.indexOf($),$.method])}
        onChange=${$=>n({method:$})}
      />
    </div>
    <div class="contrast">
      <section class="stage">
        <${T} ...${_} title="Who wins where" note="gray: neither">
          <${E} bundle=${t} color=${0} />
          <${z}
            name="winners"
            width=${t.width}
            height=${t.height}
            label=${`${g} in orange, ${l} in blue`}
            deps=${[p,...u]}
            draw=${$=>Kt($,p.won,u,.9)}
          />
        <//>
        <${R}
          label="From A to B"
          name="mix"
          value=${e.mix}
          min=${0}
          max=${1}
          step=${.01}
          text=${yo(e.mix,g,l)}
          onInput=${$=>n({mix:$})}
          ends=${[m`<b class="class-a">${g}</b>`,m`<b class="class-b">${l}</b>`]}
        />
      </section>
      <section class="parts">
        <${T}
          ...${_}
          title=${m`<i class="swatch class-a"></i>Only for ${g}`}
          note=${`${S(f[0])} of the pixels`}
          >${v("own-a",p.own[0],h,0,`Evidence that ${g} keeps`)}<//
        >
        <${T}
          ...${_}
          title=${m`<i class="swatch class-b"></i>Only for ${l}`}
          note=${`${S(f[1])} of the pixels`}
          >${v("own-b",p.own[1],h,1,`Evidence that ${l} keeps`)}<//
        >
        <${T} ...${_} title=${m`<i class="swatch class-shared"></i>Shared`}
          >${v("shared",p.shared,Ne([p.shared]),-1,"Evidence that both classes have")}<//
        >
        <div class="card settings">
          <h2>Settings</h2>
          <label class="field"
            ><span class="label">Temperatures</span
            ><input
              type="text"
              value=${e.temperatures}
              aria-invalid=${!c}
              inputmode="decimal"
              onChange=${$=>n({temperatures:$.currentTarget.value})}
            />${!c&&m`<span class="error" role="alert">
              Give numbers ${e.mode==="divide"?"above 0":"of at least 0"}, separated by commas. Shown: ${vn.join(", ")}.
            </span>`}</label
          >
          <${I}
            label="They are"
            value=${e.mode}
            onChange=${$=>n({mode:$})}
            options=${[["multiply","factors"],["divide","divisors"]]}
          />
          <${R}
            label="Threshold above an even share"
            name="margin"
            value=${e.margin}
            min=${0}
            max=${.5}
            step=${.01}
            text=${e.margin.toFixed(2)}
            onInput=${$=>n({margin:$})}
          />
          <${Se}
            label="Scale the maps to a largest value of 1 first"
            checked=${e.scaled}
            onChange=${$=>n({scaled:$})}
          />
        </div>
      </section>
    </div>`}function yo(t,e,n){return t===.5?"both":t<.5?t===0?`only ${e}`:`mostly ${e}`:t===1?`only ${n}`:`mostly ${n}`}function re({entries:t,entry:e,explained:n,set:o}){let{bundle:i}=e;return m`<div class="choices">
    <div class="field">
      <span class="label">Explain the class</span>
      <div class="chips" role="group" aria-label="Explained class">
        ${i.targets.map(r=>{let a=i.info(r);return m`<button
            type="button"
            class="chip"
            key=${r}
            aria-pressed=${r===n.index}
            onClick=${()=>o({class:r})}
          >
            <i style=${{background:X(a.slot)}}></i>${a.name}
            <span>${C(a.probability)}</span>
          </button>`})}
      </div>
    </div>
    <div class="field">
      <span class="label">with the method</span>
      <div class="chips" role="group" aria-label="Method">
        ${t.map(r=>m`<button
              type="button"
              class="chip"
              key=${i.entries.indexOf(r)}
              aria-pressed=${r===e}
              title=${r.about}
              onClick=${()=>o({method:i.entries.indexOf(r)})}
            >
              ${r.method}${r.isBaseline&&m` <span>baseline</span>`}
            </button>`)}
      </div>
    </div>
  </div>`}function wn(t,e,n){let o=Array.from(t),i=o.map((s,c)=>s>=n?1-(c+1)/o.length:s),r=Math.max(...i),a=Math.max(...o)/(r>0?r:1);return o.map((s,c)=>(1-e)*s+e*i[c]*a)}function kn(t,e){let n=new Float64Array(t.length);return t.forEach((o,i)=>n[e[i]]=o),n}var mt=["extras.order","extras.sparse"];function Re(t,e,n){let o=Number(t.options.kappa??.005),i=wn(t.ofClass("extras.sparse",e),n,o);return{ranked:i,map:kn(i,t.ofClass("extras.order",e))}}function Mn({bundle:t,state:e,set:n}){let{target:o,view:i,explained:r}=O(t,e),a=t.entries.filter(f=>f.has(...mt)),s=a.includes(t.entries[e.method])?t.entries[e.method]:a[0],c=Math.min(1,Math.max(0,e.gamma)),{ranked:d,map:p}=w(()=>Re(s,o,c),[s,o,c]),h=w(()=>Re(s,o,0).ranked,[s,o]),g=w(()=>Z(pe(p,s.rows,s.cols,t.height,t.width)),[p]),l=d.map((f,_)=>_+1),u=w(()=>[{name:"sparse",color:"var(--muted)",x:l,y:h,plain:!0},{name:"now",color:"var(--series-0)",x:l,y:d,strong:!0,plain:!0}],[d]);return m`<header class="intro">
      <h1>How dense should the map of <strong>${r.name}</strong> be?</h1>
      <p>
        MDA ranks the patches first and gives them magnitudes after. Gamma moves the magnitudes from sparse, where a few
        patches carry everything, to dense, where they fall evenly with the rank. The order of the patches stays.
      </p>
    </header>
    <${re} entries=${a} entry=${s} explained=${r} set=${n} />
    <div class="explain single">
      <section class="stage" aria-label="Map">
        <${T}
          title=${`${s.method} for ${r.name}`}
          note=${`gamma ${c.toFixed(2)}`}
          width=${t.width}
          height=${t.height}
          view=${i}
          onView=${n}
        >
          <${E} bundle=${t} />
          <${z}
            name="density"
            width=${t.width}
            height=${t.height}
            deps=${[g]}
            label=${`Map at gamma ${c.toFixed(2)}`}
            draw=${f=>q(f,g,.9)}
        /><//>
      </section>
      <section class="card test" aria-label="Magnitudes">
        <h2>Magnitude by rank</h2>
        <${oe}
          series=${u}
          max=${l.length}
          range=${[0,Math.max(...h)||1]}
          label="Magnitude of the patches by rank"
          axis="rank of the patch"
          formatX=${f=>String(Math.round(f))}
          formatY=${f=>f.toFixed(2)}
        />
        <p class="legend">
          <span><i class="line now"></i>gamma ${c.toFixed(2)}</span><span><i class="line"></i>sparse, as fitted</span>
        </p>
        <${R}
          label="Gamma"
          name="gamma"
          value=${c}
          min=${0}
          max=${1}
          step=${.01}
          text=${c.toFixed(2)}
          onInput=${f=>n({gamma:f})}
          ends=${["sparse","dense"]}
        />
      </section>
    </div>`}function Cn({classes:t,values:e,measured:n,explained:o,winner:i,others:r,other:a}){return m`<ul class=${`bars ${n?"":"between"}`} aria-label="Class probabilities">
    ${t.map(({index:s,name:c,slot:d,probability:p})=>m`<li
          key=${s}
          data-class=${s}
          data-probability=${e[d]}
          class=${`${s===o?"explained":""} ${s===i?"winner":""}`}
          style=${{color:X(d)}}
        >
          <span class="name" title=${c}>${c}</span>
          <span class="track"
            ><i style=${{transform:`scaleX(${e[d]})`}}></i><b style=${{left:`${100*p}%`}}></b
          ></span>
          <span class="value">${C(e[d])}</span>
        </li>`)}
    ${r&&m`<li
        key="other"
        data-class=${a?.index}
        data-probability=${a?.probability}
        class=${a?"winner":"muted"}
        style=${{color:"var(--muted)"}}
      >
        <span class="name" title=${a?.name}>${a?.name??"another class"}</span>
        <span class="track"><i style=${{transform:`scaleX(${a?.probability??0})`}}></i></span>
        <span class="value">${a?C(a.probability):"–"}</span>
      </li>`}
  </ul>`}var wo=t=>t.split("`").map((e,n)=>n%2?m`<code>${e}</code>`:e);function Sn({chosen:{bundle:t,entry:e,target:n,reference:o,explained:i}}){let r=t.references[o].name,s=[...new Set(e.scores.map(p=>p.metric))].flatMap(p=>e.score(p,i.index,r)??[]),c=Object.entries(e.checks).filter(([,p])=>!p[n]),d=Object.entries(e.options).map(([p,h])=>`${p}=${JSON.stringify(h)}`);return m`<section class="card facts" aria-label="Facts">
    <h2>Facts</h2>
    ${e.about&&m`<p>${wo(e.about)}</p>`}
    <dl>
      ${s.map(p=>m`<div>
            <dt>${Me(p.metric)}</dt>
            <dd>
              ${p.score===null?"undefined":J(p.score)} <span class="muted">${p.higher_is_better?"higher is better":"lower is better"}</span>
            </dd>
          </div>`)}
      <div>
        <dt>cost</dt>
        <dd>
          ${Y(Math.round(e.cost.forwards))} forward and ${Y(Math.round(e.cost.backwards))} backward
          passes, ${e.cost.seconds.toFixed(2)} s
        </dd>
      </div>
      <div>
        <dt>checks</dt>
        <dd>
          ${c.length?m`<b class="bad">failed: ${c.map(([p])=>p).join(", ")}</b>`:`passed: ${Object.keys(e.checks).join(", ")}`}
        </dd>
      </div>
      <div>
        <dt>options</dt>
        <dd>${d.join(", ")||"defaults"}</dd>
      </div>
      <div>
        <dt>map</dt>
        <dd>${e.rows} × ${e.cols} values${e.classAgnostic&&", the same for every class"}</dd>
      </div>
      <div>
        <dt>model</dt>
        <dd>${t.model}</dd>
      </div>
    </dl>
    <p class="row">
      <${nt}
        text=${e.code}
        label="Copy code"
      />${e.citation&&m`<${nt} text=${e.citation} label="Copy citation" />`}
    </p>
    <details>
      <summary>Code</summary>
      <pre>${e.code}</pre>
    </details>
    ${e.citation&&m`<details>
        <summary>Citation</summary>
        <pre>${e.citation}</pre>
      </details>`}
  </section>`}var ue={measure:null};function An({bundle:t,state:e,set:n}){let o=ko(t,e),{entry:i,target:r,reference:a,direction:s,count:c,curve:d,explained:p}=o,h=w(()=>Co(o),[i,i.asked,r,a,s]),g=w(()=>Eo(o),[i,i.asked,r,a,s]),l=Ee(d,c),u=ln(n),f=S(c/t.pixels),_={width:t.width,height:t.height,view:o.view,onView:n},b=w(()=>{let x=m`<${Ie}
      entry=${i}
      target=${r}
      view=${e.view}
      opacity=${e.opacity}
      label=${`Map by ${i.method} for ${p.name}`}
    />`,N=m`<${sn} view=${e.view} />`;return{layer:x,top:m`<${Ao} chosen=${o} />
        <${re} entries=${t.entries} entry=${i} explained=${p} set=${n} />`,map:e.side&&m`<${T} ...${_} title="The map" note=${N}><${E} bundle=${t} />${x}<//>`,controls:m`<${To} state=${e} set=${n} />`,facts:m`<${Sn} chosen=${o} />`}},[i,r,a,s,e.view,e.opacity,e.side,e.zoom,e.x,e.y]),v=s==="deletion"?"removed":"shown",$=c?`${f} ${v}`:s==="deletion"?"untouched":"nothing yet";return m`${b.top}
    <div class="explain">
      <section class="stage" aria-label="Image and map">
        <div class=${`panels ${e.side?"two":"one"}`}>
          <${T} ...${_} title="What the model sees" note=${$}>
            <${Fe}
              entry=${i}
              target=${r}
              reference=${a}
              direction=${s}
              count=${c}
              label=${`The image with ${f} of its pixels ${v}`}
            />
            ${!e.side&&b.layer}
          <//>
          ${b.map}
        </div>
        ${b.controls}
      </section>
      <section class="card test" aria-label="Test the map">
        <h2>Test the map</h2>
        ${i.orders(r)?m`<${Oe}
                  chosen=${o}
                  set=${n}
                  series=${g}
                  flip=${h}
                  valueText=${`${p.name} ${C(l.values[p.slot])}`}
                />
                <${zo} chosen=${o} flip=${h} onGo=${()=>h!==null&&u(c,h)} />`:m`<p class="untested">
                This map holds NaN or infinity: it does not order the pixels, so there is nothing to test.
              </p>`}
        <${Po} chosen=${o} now=${l} ask=${ue.measure&&(()=>No(o,e,n))} />
        <${Cn}
          classes=${t.watched}
          values=${l.values}
          measured=${l.measured}
          explained=${p.index}
          winner=${l.measured?d.top1[l.left]:null}
          others=${d.top1.some(x=>!t.info(x))}
          other=${l.measured?Mo(o,l.left):null}
        />
      </section>
      ${b.facts}
    </div>`}function ko(t,e){let n=O(t,e);return n.entry.orders(n.target)?n:O(t,{...e,count:0,direction:"deletion"})}function Mo({bundle:t,curve:e},n){let o=e.top1[n];return t.info(o)?null:{index:o,name:t.className(o),probability:e.highest[n]}}var me=({bundle:t,explained:e})=>e.index!==t.prediction,Co=t=>me(t)&&t.direction==="deletion"?null:Qt(t.curve,t.explained.index,t.direction);function So(t){let{direction:e,explained:n,entry:o,target:i}=t;return o.orders(i)?e==="deletion"?`Drag along the curve to remove its most important pixels first: if the map is right, ${me(t)?`the probability of ${n.name} drops early`:"the model changes its mind early"}.`:`Drag along the curve to show only its most important pixels: if the map is right, ${me(t)?`the probability of ${n.name} rises early`:"the model recognizes the image early"}.`:""}function Ao({chosen:t}){let{bundle:e,entry:n,explained:o}=t,i=e.info(e.prediction),r=me(t);return m`<header class="intro">
    <h1>
      The model says <strong>${e.className(e.prediction)}</strong>${i&&m` <span class="muted">with ${C(i.probability)} probability</span>`}
    </h1>
    <p>
      ${n.isBaseline?m`<code>${n.method}</code> is a baseline: its map ignores the model. A map explains something only if
              it does better.`:m`The map shows where <code>${n.method}</code> finds the evidence
              for <b>${o.name}</b>${r&&` (${C(o.probability)})`}.`} ${So(t)}
    </p>
  </header>`}function To({state:t,set:e}){return m`<div class="row controls">
    <${I}
      label="Map"
      value=${t.view}
      onChange=${n=>e({view:n})}
      options=${[["magnitude","Magnitude"],["signed","Signed"],["contour","Contour"],["off","Off"]]}
    />
    <${R}
      label="Opacity"
      name="opacity"
      value=${t.opacity}
      min=${0}
      max=${1}
      step=${.05}
      text=${S(t.opacity)}
      onInput=${n=>e({opacity:n})}
    />
    <${Se} label="Side by side" checked=${t.side} onChange=${n=>e({side:n})} />
    ${t.zoom>1&&m`<button type="button" class="button" onClick=${()=>e({zoom:1,x:0,y:0})}>Reset zoom</button>`}
  </div>`}function zo({chosen:t,flip:e,onGo:n}){let{bundle:o,direction:i,curve:r,explained:a}=t,{name:s}=a,c=i==="deletion"?"Remove until the decision flips":`Add until the model says ${s}`;if(e===null){let p=me(t)?`The model says ${o.className(o.prediction)}, not ${s}: this map has no decision to flip. Removing its pixels should make ${s} less likely.`:`The model says ${s} at every measured point.`;return m`<p class="flip muted">
      ${i==="deletion"?p:`The model never says ${s} on this curve.`}
    </p>`}let d=o.className(r.top1[r.counts.indexOf(e)]);return m`<p class="flip">
    <button type="button" class="button primary" data-name="flip" data-count=${e} onClick=${n}>${c}</button>
    <span class="muted"
      >at ${S(e/o.pixels)}, the smallest measured
      step${i==="deletion"&&`; then it says ${d}`}</span
    >
  </p>`}async function No({bundle:t,entry:e,target:n,direction:o,reference:i,count:r,explained:a},s,c){let d={image:s.image,method:t.entries.indexOf(e),class:a.index,direction:o,count:r},p=await ue.measure?.({...d,reference:t.references[i].name});p&&e.addPoint(n,o,i,{count:r,...p}),c({})}function Po({chosen:{bundle:t,curve:e,explained:n},now:o,ask:i}){let r=c=>t.className(e.top1[c]),a=c=>S(e.counts[c]/t.pixels);if(!o.measured){let c=r(o.left)===r(o.right);return m`<p class="verdict">
      Between two measured points: ${n.name} about <b>${C(o.values[n.slot])}</b>.${" "}
      <span class="muted">
        Measured at ${a(o.left)} and ${a(o.right)}: ${c?r(o.left):`${r(o.left)}, then ${r(o.right)}`}.
      </span>
      ${i&&m`<button type="button" class="button" data-name="exact" onClick=${i}>Exact here</button>`}
    </p>`}let s=e.top1[o.left]!==t.prediction;return m`<p class=${`verdict ${s?"changed":""}`}>
    The model ${s?"now says":"says"} <b>${r(o.left)}</b> with <b>${C(e.highest[o.left])}</b>.
  </p>`}function Eo({bundle:t,curve:e,explained:n}){let o=t.watched.length;return t.watched.map(({name:r,slot:a,index:s})=>({name:r,color:X(a),x:e.counts,y:e.counts.map((c,d)=>e.probabilities[d*o+a]),strong:s===n.index})).sort((r,a)=>Number(r.strong)-Number(a.strong))}var ht=["extras.path","extras.objective"];function Tn({bundle:t,state:e,set:n}){let{target:o,view:i,explained:r}=O(t,e),a=t.entries.filter(_=>_.has(...ht)),s=a.includes(t.entries[e.method])?t.entries[e.method]:a[0],c=s.tensor("extras.path").shape[1]-1,d=Math.round(Math.min(c,Math.max(0,e.step))),[p,h]=H(!1);ne(()=>{if(!p)return;let _=setTimeout(()=>d<c?n({step:d+1}):h(!1),250);return()=>clearTimeout(_)},[p,d,c]);let g=w(()=>Array.from(s.ofClass("extras.objective",o)),[s,o]),l=g.filter(Number.isFinite),u=w(()=>[{name:"objective",color:"var(--series-0)",x:g.map((_,b)=>b),y:g,strong:!0}],[g]),f=()=>{!p&&d===c&&n({step:0}),h(!p)};return m`<header class="intro">
      <h1>How the map of <strong>${r.name}</strong> improved</h1>
      <p>
        <code>${s.method}</code> moves the map by gradient steps, so that removing its top pixels lowers the
        probability sooner and adding them raises it sooner: its objective is insertion minus deletion. Drag along the
        curve to see the map after each step.
      </p>
    </header>
    <${re} entries=${a} entry=${s} explained=${r} set=${n} />
    <div class="explain single">
      <section class="stage" aria-label="Map">
        <${T}
          title=${`Step ${d} of ${c}`}
          note=${Number.isFinite(g[d])?`objective ${J(g[d])}`:"objective not measured"}
          width=${t.width}
          height=${t.height}
          view=${i}
          onView=${n}
        >
          <${E} bundle=${t} />
          <${z}
            name="film"
            width=${t.width}
            height=${t.height}
            deps=${[s,o,d]}
            label=${`Map after ${d} steps`}
            draw=${_=>q(_,an(s,o,d),.9)}
        /><//>
      </section>
      <section class="card test" aria-label="Objective">
        <h2>Objective</h2>
        <${oe}
          series=${u}
          position=${d}
          max=${c}
          range=${Fo(l)}
          label="Objective by step. Drag to choose a step."
          axis="step"
          ticks=${[0,Math.round(c/2),c]}
          formatX=${String}
          formatY=${_=>J(_,2)}
          onScrub=${_=>n({step:Math.round(_)})}
        />
        <${R}
          label="Step"
          name="step"
          value=${d}
          min=${0}
          max=${c}
          step=${1}
          text=${`${d} of ${c}`}
          onInput=${_=>n({step:_})}
        />
        <button type="button" class="button primary" onClick=${f}>${p?"Pause":"Play"}</button>
      </section>
    </div>`}function Fo(t){if(!t.length)return[0,1];let[e,n]=[Math.min(...t),Math.max(...t)],o=.1*(n-e||1);return[e-o,n+o]}var Io=[{name:"explain",title:"Explain",screen:An,offered:()=>!0},{name:"compare",title:"Compare",screen:fn,offered:t=>t.entries.length>1},{name:"contrast",title:"A or B",screen:yn,offered:t=>t.targets.length>1&&t.entries.some(e=>e.contrasts)},{name:"density",title:"Density",screen:Mn,offered:t=>t.entries.some(e=>e.has(...mt))},{name:"film",title:"Film",screen:Tn,offered:t=>t.entries.some(e=>e.has(...ht))}];function Oo(t){let[e,n]=H(t.state);return ne(()=>{let o=()=>n(t.state);return t.listeners.push(o),o(),()=>{t.listeners.splice(t.listeners.indexOf(o),1)}},[t]),e}function zn({bundles:t,store:e,brand:n=m`<span class="brand">seewhy</span>`}){let o=Oo(e),i=t[o.image]===void 0?0:o.image,r=t[i];if(!r)return m`<p class="intro">Reading the image…</p>`;let a=Io.filter(c=>c.offered(r)),s=a.find(c=>c.name===o.screen)??a[0];return m`<nav class="top" aria-label="Explorer">
      ${n}
      ${(a.length>1||!n)&&m`<${Do} screens=${a} current=${s.name} onChange=${c=>e.go({screen:c})} />`}
      <span class="file" title=${r.name}>${r.name} · ${r.model}</span>
    </nav>
    ${t.length>1&&m`<${Uo} bundles=${t} current=${i} onChange=${c=>e.set({image:c,count:0,zoom:1,x:0,y:0})} />`}
    <div class="screen" role="region" aria-label=${s.title} data-screen=${s.name}>
      <${s.screen} key=${i} bundle=${r} state=${o} set=${e.set} />
    </div>`}function Do({screens:t,current:e,onChange:n}){return m`<div class="tabs" role="tablist" onKeyDown=${i=>{let r={ArrowLeft:-1,ArrowRight:1}[i.key];if(!r)return;i.preventDefault();let s=(t.findIndex(c=>c.name===e)+r+t.length)%t.length;n(t[s].name),i.currentTarget.children[s].focus()}}>
    ${t.map(({name:i,title:r})=>m`<button
          type="button"
          role="tab"
          key=${i}
          aria-selected=${i===e}
          tabindex=${i===e?0:-1}
          onClick=${()=>n(i)}
        >
          ${r}
        </button>`)}
  </div>`}function Uo({bundles:t,current:e,onChange:n}){return m`<div class="strip" role="group" aria-label="Images">
    ${t.map((o,i)=>m`<button type="button" key=${i} aria-pressed=${i===e} onClick=${()=>n(i)}>
          ${o?m`<${z} width=${o.width} height=${o.height} deps=${[o]} draw=${r=>r.set(o.image)} />`:m`<span class="blank"></span>`}
          <span class="name">
            <b>${o?o.className(o.prediction):"…"}</b>
            ${o&&m`<i>${C(o.info(o.prediction)?.probability??0)}</i>`}
          </span>
        </button>`)}
  </div>`}function Ro(t,e,n){let o=new URLSearchParams(t.replace(/^[#?]/,"")),i=Object.entries(e).map(([r,a])=>[r,jo(o.get(r),a,n[r])]);return Object.fromEntries(i)}function jo(t,e,n){if(t===null)return e;if(typeof e=="boolean")return t==="1";if(typeof e=="number"){let[o,i]=n??[-1/0,1/0];return t.trim()&&Number.isFinite(Number(t))?Math.min(i,Math.max(o,Number(t))):e}return n&&!n.includes(t)?e:t}function Lo(t,e){let n=new URLSearchParams;for(let[o,i]of Object.entries(e)){let r=t[o];r!==i&&n.set(o,typeof r=="boolean"?r?"1":"0":String(r))}return n.toString()}var je=class{constructor(e,n,o){this.defaults=e,this.part=o;let i=()=>Ro(o==="fragment"?location.hash:location.search,e,n);this.state=i(),this.listeners=[],this.pending=0,addEventListener(o==="fragment"?"hashchange":"popstate",()=>this.change(i()))}set=e=>{this.change({...this.state,...e}),clearTimeout(this.pending),this.pending=setTimeout(()=>this.write(),200)};go=e=>{this.write(),this.change({...this.state,...e}),this.write("pushState")};change(e){this.state=e,this.listeners.forEach(n=>n())}write(e="replaceState"){clearTimeout(this.pending);let n=Lo(this.state,this.defaults),o=this.part==="query"?n&&`?${n}`:location.search,i=this.part==="fragment"?n&&`#${n}`:location.hash;try{history[e](null,"",location.pathname+o+i)}catch{}}};var Bo={image:0,screen:"explain",method:0,class:-1,direction:"deletion",reference:"",count:0,view:"magnitude",side:!0,opacity:.85,zoom:1,x:0,y:0,show:"both",sort:"ins_del",descending:!0,a:-1,b:-1,temperatures:"1, 5, 100",mode:"multiply",scaled:!1,margin:0,mix:.5,gamma:0,step:0},Ho={screen:["explain","compare","contrast","density","film"],direction:["deletion","insertion"],view:["magnitude","signed","contour","off"],show:["image","map","both"],mode:["multiply","divide"],zoom:[1,16],opacity:[0,1],mix:[0,1],gamma:[0,1],margin:[0,.5]},Nn=()=>new je(Bo,Ho,"fragment");var Pn=`:root{color-scheme:light dark;--page: #f7f7f5;--card: #ffffff;--ink: #1b1d21;--muted: #646b75;--line: #dfe1e5;--soft: #eef0f2;--accent: #1f5fbf;--on-accent: #ffffff;--bad: #b3261e;--focus: #1f5fbf;--frame: #e4e6e9;--raised: #ffffff;--class-a: #b95a00;--class-b: #0068a5;--class-shared: #0f7a50;--series-0: #c25e00;--series-1: #0072b2;--series-2: #117733;--series-3: #aa3377;--series-4: #1b8098;--series-5: #5b4bb5;--series-6: #857000;--series-7: #6b7280}@media(prefers-color-scheme:dark){:root{--page: #14161a;--card: #1c1f24;--ink: #e9ebee;--muted: #a0a7b2;--line: #32363d;--soft: #262a30;--accent: #7fb2ff;--on-accent: #0d1420;--bad: #ff9a92;--focus: #9cc3ff;--frame: #0d0f12;--raised: #3d434c;--class-a: #ffa14a;--class-b: #5fb8f7;--class-shared: #5fce9a;--series-0: #ffa14a;--series-1: #5fb8f7;--series-2: #63cf8a;--series-3: #f08cc5;--series-4: #74d0e8;--series-5: #b0a4ff;--series-6: #dccb55;--series-7: #9aa2ad}}*,*:before,*:after{box-sizing:border-box}body{margin:0;background:var(--page);color:var(--ink);font:15px/1.5 -apple-system,Segoe UI,Roboto,Helvetica Neue,Liberation Sans,Arial,system-ui,sans-serif;-webkit-text-size-adjust:100%}#explorer{max-width:1320px;margin:0 auto;padding:0 24px 48px}h1,h2,p,dl,dd,figure,ul{margin:0;padding:0}h1{font-size:26px;line-height:1.25;font-weight:500;letter-spacing:-.01em;text-wrap:balance}h1 strong{font-weight:700}h2{font-size:15px;font-weight:650;margin-bottom:12px}.muted{color:var(--muted);font-weight:400}code,pre{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.92em}.intro code{background:var(--soft);border-radius:4px;padding:1px 5px}button,select,input{font:inherit;color:inherit}button{cursor:pointer}:focus-visible{outline:2px solid var(--focus);outline-offset:2px;border-radius:4px}.top{display:flex;align-items:center;gap:24px;min-height:56px;border-bottom:1px solid var(--line)}.brand{font-weight:700;letter-spacing:-.02em;font-size:17px}.tabs{display:flex;align-self:stretch;gap:4px;overflow-x:auto;scrollbar-width:none}.tabs button{border:0;background:none;padding:0 12px;color:var(--muted);border-bottom:2px solid transparent;border-top:2px solid transparent;white-space:nowrap}.tabs button:hover{color:var(--ink)}.tabs button[aria-selected=true]{color:var(--ink);font-weight:600;border-bottom-color:var(--accent)}.tabs button:focus-visible{outline-offset:-4px}.file{margin-left:auto;color:var(--muted);font-size:13px;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}.strip{display:flex;gap:8px;overflow-x:auto;padding:12px 2px 4px}.strip button{border:1px solid transparent;border-radius:8px;background:none;padding:4px;width:104px;flex:none;text-align:left;font-size:12px;color:var(--muted)}.strip button[aria-pressed=true]{border-color:var(--accent);color:var(--ink);background:var(--card)}.strip canvas,.strip .blank{display:block;width:100%;aspect-ratio:1;border-radius:5px;background:var(--soft);object-fit:cover}.strip .name{display:flex;gap:4px}.strip .name b{font-weight:inherit;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}.strip .name i{font-style:normal;margin-left:auto;white-space:nowrap}.intro{padding:22px 0 14px;max-width:860px}.intro p{margin-top:8px;color:var(--muted);text-wrap:pretty}.intro p b,.intro p code{color:var(--ink)}.choices{display:flex;flex-wrap:wrap;gap:12px 28px;padding-bottom:16px;align-items:flex-start}.field{display:flex;flex-direction:column;gap:5px;min-width:0}.label{font-size:12px;color:var(--muted);display:flex;justify-content:space-between;gap:8px}.label output{color:var(--ink);font-variant-numeric:tabular-nums}.chips{display:flex;flex-wrap:wrap;gap:6px}.chip{display:inline-flex;align-items:center;gap:7px;border:1px solid var(--line);background:var(--card);border-radius:999px;padding:4px 12px;min-height:34px}.chip i{width:9px;height:9px;border-radius:50%}.chip span{color:var(--muted);font-size:13px;font-variant-numeric:tabular-nums}.chip:hover{border-color:var(--muted)}.chip[aria-pressed=true]{border-color:var(--accent);box-shadow:inset 0 0 0 1px var(--accent)}.segmented{display:inline-flex;background:var(--soft);border-radius:8px;padding:3px;width:fit-content;max-width:100%;overflow-x:auto}.segmented button{border:0;background:none;padding:3px 11px;min-height:30px;border-radius:6px;color:var(--muted);white-space:nowrap;font-size:14px}.segmented button:hover{color:var(--ink)}.segmented button[aria-pressed=true]{background:var(--raised);color:var(--ink);box-shadow:0 1px 2px #0003}.segmented button:focus-visible{outline-offset:-2px}.row{display:flex;flex-wrap:wrap;gap:12px 20px;align-items:flex-end}.button{border:1px solid var(--line);background:var(--card);border-radius:8px;padding:5px 14px;min-height:36px}.button:hover{border-color:var(--muted)}.button.primary{background:var(--accent);border-color:var(--accent);color:var(--on-accent);font-weight:600}.button.primary:hover{filter:brightness(1.07)}select,input[type=text]{border:1px solid var(--line);background:var(--card);border-radius:8px;padding:5px 10px;min-height:36px;min-width:120px}input[aria-invalid=true]{border-color:var(--bad)}.error{color:var(--bad);font-size:13px}.check{display:flex;align-items:center;gap:8px;min-height:36px}.check input{width:17px;height:17px;accent-color:var(--accent);flex:none}input[type=range]{appearance:none;-webkit-appearance:none;width:100%;height:28px;background:none;margin:0;cursor:pointer;touch-action:pan-y}input[type=range]::-webkit-slider-runnable-track{height:5px;border-radius:3px;background:linear-gradient(var(--accent),var(--accent)) 0 / var(--filled, 0%) 100% no-repeat var(--line)}input[type=range]::-moz-range-track{height:5px;border-radius:3px;background:linear-gradient(var(--accent),var(--accent)) 0 / var(--filled, 0%) 100% no-repeat var(--line)}input[type=range]::-webkit-slider-thumb{-webkit-appearance:none;width:20px;height:20px;margin-top:-7.5px;border-radius:50%;background:var(--accent);border:3px solid var(--card);box-shadow:0 0 0 1px var(--accent)}input[type=range]::-moz-range-thumb{width:15px;height:15px;border-radius:50%;background:var(--accent);border:3px solid var(--card);box-shadow:0 0 0 1px var(--accent)}.slider{min-width:150px;flex:1;gap:2px}.card>.slider{margin:14px 0 6px}.ends{display:flex;justify-content:space-between;font-size:13px;color:var(--muted)}.card,.panel,.intro,.choices,.bars li,.verdict,.legend{contain:layout}.card{background:var(--card);border:1px solid var(--line);border-radius:12px;padding:18px 20px;min-width:0}.explain{display:grid;grid-template-columns:minmax(0,1.35fr) minmax(0,1fr);gap:20px;align-items:start}.explain.single,.contrast{grid-template-columns:minmax(0,clamp(320px,58vh,620px)) minmax(0,1fr);gap:28px}.stage{min-width:0}.test{grid-row:span 2}.panels{display:grid;gap:14px}.panels.two{grid-template-columns:1fr 1fr}.panels.one{max-width:560px}.controls{padding-top:14px;align-items:center}.controls .field{flex:none}.controls .slider{max-width:190px}.panel{min-width:0}.panel figcaption{display:flex;justify-content:space-between;align-items:baseline;gap:8px;font-size:13px;padding-bottom:6px;min-height:26px}.panel .title{font-weight:600;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}.panel .note{color:var(--muted);font-variant-numeric:tabular-nums;white-space:nowrap;overflow:hidden;text-overflow:ellipsis}.frame{position:relative;overflow:hidden;contain:layout paint;border-radius:8px;background:var(--frame);touch-action:pan-y;width:100%}.frame.zoomed{touch-action:none;cursor:grab}.frame.zoomed:active{cursor:grabbing}.frame:focus-visible{outline-offset:2px;border-radius:8px}.layers{position:absolute;inset:0;transform-origin:0 0}.layers canvas{position:absolute;inset:0;width:100%;height:100%}.layers.sharp canvas{image-rendering:pixelated}.key{display:inline-flex;gap:6px;align-items:center;color:var(--muted);font-size:12px}.ramp{width:44px;height:8px;border-radius:4px;background:linear-gradient(90deg,#1b0c41,#781c6d,#bc3754,#ed6925,#fbb61a,#fcffa4)}.ramp.signed{background:linear-gradient(90deg,#2c70c8,var(--soft),#e43c2a)}.swatch{display:inline-block;width:10px;height:10px;border-radius:3px;margin-right:6px}.swatch.class-a{background:#e47400}.swatch.class-b{background:#0072b2}.swatch.class-shared{background:#118c5a}strong.class-a,b.class-a{color:var(--class-a)}strong.class-b,b.class-b{color:var(--class-b)}.chart{position:relative;width:100%;overflow:hidden;margin-top:10px}.chart svg{display:block}.chart .scrubbable{cursor:ew-resize;touch-action:pan-y;user-select:none}.chart .grid{stroke:var(--line);stroke-width:1}.chart .tick{fill:var(--muted);font-size:11px}.series polyline{fill:none;stroke:currentColor;stroke-width:1.2;opacity:.32;stroke-linejoin:round}.series circle{fill:currentColor;opacity:.75}.series.strong polyline{stroke-width:2.2;opacity:.45}.series.strong circle{opacity:1}.series.plain polyline{opacity:1}.series.dashed polyline{stroke-dasharray:5 4;opacity:.7}.chart .marker{stroke:var(--bad);stroke-dasharray:3 3}.chart .marker.good{stroke:var(--class-shared)}.chart .marker-text{fill:var(--bad);font-size:11px;paint-order:stroke;stroke:var(--card);stroke-width:4px}.chart .marker-text.good{fill:var(--class-shared)}.cursor{position:absolute;left:-.75px;width:1.5px;background:var(--ink);pointer-events:none;will-change:transform}.cursor:after{content:"";position:absolute;bottom:-8px;left:-7.25px;width:16px;height:16px;border-radius:50%;background:var(--ink);border:2.5px solid var(--card)}.slide{display:flex;align-items:center;gap:6px;margin-top:6px}.step{border:1px solid var(--line);background:var(--card);border-radius:8px;width:34px;height:34px;flex:none;font-size:18px;line-height:1}.step:disabled{opacity:.4;cursor:default}.legend{display:flex;flex-wrap:wrap;gap:4px 14px;font-size:12px;color:var(--muted);padding-top:4px}.legend .dot{display:inline-block;width:7px;height:7px;border-radius:50%;background:var(--ink);margin-right:5px}.legend .line{display:inline-block;width:18px;height:2px;background:var(--muted);opacity:.6;margin-right:5px;vertical-align:middle}.legend .line.now{background:var(--series-0);opacity:1}.legend .count{margin-left:auto;font-variant-numeric:tabular-nums}.flip{display:flex;flex-wrap:wrap;gap:8px 12px;align-items:center;margin-top:14px;font-size:13px}.verdict .button{margin-left:6px;min-height:30px;padding:2px 10px;font-size:13px}.verdict{margin-top:16px;min-height:46px}.verdict.changed b:first-of-type{color:var(--bad)}.bars{list-style:none;display:grid;gap:5px;margin-top:6px}.bars li{display:grid;grid-template-columns:minmax(70px,130px) 1fr 54px;gap:10px;align-items:center;font-size:13px}.bars .name{color:var(--ink);overflow:hidden;text-overflow:ellipsis;white-space:nowrap}.bars .explained .name{font-weight:650}.bars .winner .name:after{content:" \\2713"}.bars .value{color:var(--ink);text-align:right;font-variant-numeric:tabular-nums}.bars .track{position:relative;height:12px;border-radius:4px;background:var(--soft);overflow:hidden}.bars .track i{position:absolute;inset:0;background:currentColor;transform-origin:0 0}.bars .track b{position:absolute;top:0;bottom:0;width:2px;margin-left:-2px;background:var(--ink);opacity:.55}.bars.between .track i{opacity:.5}.bars.between .value:before{content:"\\2248  ";color:var(--muted)}.facts{font-size:14px}.facts dl{display:grid;gap:4px;margin:10px 0 14px}.facts dl>div{display:grid;grid-template-columns:140px 1fr;gap:12px}.facts dt{color:var(--muted)}.facts dd{overflow-wrap:anywhere}.facts .bad{color:var(--bad)}details{margin-top:10px}summary{cursor:pointer;color:var(--muted);width:fit-content}pre{background:var(--soft);border-radius:8px;padding:12px;overflow-x:auto;margin:8px 0 0;line-height:1.45}.compare{display:grid;grid-template-columns:minmax(0,4fr) minmax(0,8fr);gap:20px;align-items:start}.column{display:grid;gap:20px;align-content:start;min-width:0}.methods{display:grid;grid-template-columns:repeat(var(--columns),minmax(0,1fr));gap:16px 12px;min-width:0}.link{border:0;background:none;padding:0;font-weight:inherit}.link:hover{text-decoration:underline}.method{display:grid;gap:4px;align-content:start;min-width:0}.disagreement .panel{max-width:340px;margin-top:12px}.dock{display:none}.names{display:flex;flex-wrap:wrap;gap:2px 16px;font-size:13px;margin-top:10px}.scroll{overflow-x:auto}table{border-collapse:collapse;width:100%;font-size:14px}th,td{padding:7px 8px;text-align:right;border-bottom:1px solid var(--line);font-variant-numeric:tabular-nums;white-space:nowrap}th:first-child{text-align:left;font-weight:500;padding-left:0}thead th{font-weight:500;color:var(--muted)}thead button{border:0;background:none;padding:4px 0;font-size:13px;color:inherit}thead [aria-sort=ascending] button,thead [aria-sort=descending] button{color:var(--ink);font-weight:600}td.best{font-weight:700}.compare .muted,.settings .muted{font-size:13px;margin-top:10px}.contrast{display:grid;align-items:start}.contrast .slider{margin-top:12px}.parts{display:grid;grid-template-columns:1fr 1fr;gap:16px;min-width:0}.settings{display:grid;gap:12px;align-content:start;padding:14px 16px}.settings h2{margin:0}.settings input[type=text]{width:100%;min-width:0}.settings .check{min-height:0;font-size:13px;align-items:flex-start}@media(max-width:1150px){.panels.two figcaption{flex-direction:column;gap:0;line-height:1.35}}@media(max-width:900px){#explorer{padding:0 14px 40px}.compare,.contrast{grid-template-columns:minmax(0,1fr);gap:14px}.contrast .stage>*{max-width:none}.explain,.explain.single{display:flex;flex-direction:column;align-items:stretch;gap:14px}.explain .stage{display:contents}.explain .panels{position:sticky;top:0;z-index:1;background:var(--page);padding:6px 0 8px;max-height:60vh}.controls{order:1;padding:0}.explain .stage>.panel{position:sticky;top:0;z-index:1;background:var(--page);padding:6px 0 8px;width:min(100%,55vh);align-self:center}.column{display:contents}.methods{order:-1}.scores{order:1}.disagreement{order:2}.dock{order:3}.dock{display:block;position:sticky;bottom:0;z-index:1;margin:0 -14px;padding:8px 14px;background:var(--page);border-top:1px solid var(--line)}.dock .slide{margin:0}.facts{order:2}.top{flex-wrap:wrap;gap:0 16px;padding-top:8px}.tabs{order:3;width:100%;min-height:44px}.tabs button:first-child{padding-left:0}}@media(max-width:520px){h1{font-size:21px}.intro{padding:14px 0 10px}.card{padding:14px}.panels{gap:8px}.panel figcaption{flex-direction:column;gap:0;line-height:1.35}.panel .note,.panel .title{max-width:100%}.methods{grid-template-columns:1fr 1fr;gap:10px}.strip button{width:76px;font-size:11px}.tabs button{padding:0 8px}.zooms{display:none}.parts{gap:10px}.settings{grid-column:span 2}.facts dl>div{grid-template-columns:110px 1fr}.choices{gap:10px 20px}.chip,.segmented button,.step{min-height:40px}}@media(prefers-reduced-motion:no-preference){.button,.chip,.segmented button{transition:border-color .12s,background .12s,color .12s}}
`;var En=new CSSStyleSheet;En.replaceSync(Pn);document.adoptedStyleSheets=[...document.adoptedStyleSheets,En];var Fn=document.getElementById("explorer"),Le=[...document.querySelectorAll("script[data-bundle]")].map(t=>t.textContent??""),ft=Le.map(()=>null),Be=Nn();qo().catch(t=>{Fn.textContent=`This file cannot be read: ${t.message}`});async function qo(){let t=Le[Be.state.image]===void 0?0:Be.state.image;for(let e of[t,...Le.keys()].filter((n,o,i)=>i.indexOf(n)===o))ft[e]=await mn(Le[e]),Tt(m`<${zn} bundles=${[...ft]} store=${Be} />`,Fn),await new Promise(n=>setTimeout(n))}Object.assign(globalThis,{seewhyExplorer:{bundles:ft,store:Be,host:ue,contrastClasses:ut,densityMap:Re}});
